import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import type { Operation } from '../../../nodes/BusinessMessaging/actions/operation';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import {
	asInputError,
	nameField,
	openConnections,
	readItems,
} from '../../../nodes/BusinessMessaging/run/readItems';
import { EXECUTION } from '../../support/sendNode.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

it.each([
	[10, 4],
	[1, 0],
])('items that take %d ms keep their order, and n8n gets time %d times', async (ms, pauses) => {
	const clock = createVirtualClock();
	const connection = { baseUrl: 'https://api.example.com', apiKey: 'key' };
	const sleep = jest.spyOn(clock, 'sleep').mockImplementation(async () => undefined);
	const read = (_: unknown, itemIndex: number) => {
		clock.pass(ms);
		return itemIndex;
	};
	const given = { ...EXECUTION, getInputData: () => Array(20).fill({}) } as never;
	const operation = { read } as unknown as Operation;
	const parsedItems = await readItems(given, operation, undefined, () => connection, clock);
	expect(parsedItems).toEqual([...Array(20).keys()].map((job) => ({ job, connection })));
	expect(sleep.mock.calls).toEqual(Array(pauses).fill([0]));
});

const CHOOSE = 'Choose a credential at the top of the node.';
const UNSET = 'Node does not have any credentials set for "x"';
const DELETED = 'Credential with ID "7" does not exist for type "x".';

it.each<[string | undefined, object, string]>([
	[undefined, { message: 'no node', description: 'Connect it.' }, 'no node. Connect it.'],
	[undefined, { message: 7 }, 'A parameter could not be read. Check the expressions of this node.'],
	[undefined, new Error(UNSET), `No credential is chosen. ${CHOOSE}`],
	[undefined, new Error(DELETED), `The chosen credential does not exist. ${CHOOSE}`],
	[
		'To',
		{ message: 'no node' },
		"The expression in To can't be computed: no node. Check the expression in this field.",
	],
])('what n8n throws while it reads a node (%s, %j) is told as: %s', (field, thrown, sentences) => {
	const error = asInputError(thrown, field);
	expect(error.sentences).toBe(sentences);
	expect(error.code).toBe(sentences.includes('credential') ? 'wrongCredential' : 'wrongInput');
});

describe('the field whose expression n8n can not compute', () => {
	const field = (name: string, displayName: string, more: Partial<INodeProperties> = {}) =>
		({ name, displayName, type: 'string', default: '', ...more }) satisfies INodeProperties;
	const FIELDS: INodeProperties[] = [
		field('to', 'To'),
		field('templateName', 'Template Name'),
		field('answers', 'Answers', { type: 'fixedCollection' }),
		field('options', 'Options', {
			type: 'collection',
			options: [field('rate', 'Rate'), field('country', 'Country')],
		}),
	];
	const SYNTAX = 'invalid syntax';
	const BOTH = { to: '={{ x }}', templateName: '={{ y }}' };
	const LIST = { answers: { values: [{ value: 'a' }, { value: '={{ y }}' }] } };
	const OPTIONS = { options: { rate: '={{ x }}', country: '={{ y }}' } };
	const NO_EXPRESSION = { to: '+1', templateName: 5, answers: { values: [{ value: 'a=' }] } };

	it.each<[string | undefined, INodeParameters, Record<string, string>, Error?]>([
		['To', BOTH, { to: SYNTAX }],
		['Template Name', BOTH, { to: 'no node', templateName: SYNTAX }],
		['Answers', LIST, { answers: SYNTAX }],
		['Options', OPTIONS, { options: SYNTAX }],
		['Options → Country', OPTIONS, { options: SYNTAX, 'options.country': SYNTAX }],
		[undefined, NO_EXPRESSION, { to: SYNTAX, templateName: SYNTAX, answers: SYNTAX }],
		// Its message names the field.
		[undefined, BOTH, { to: 'It is empty' }, new InputError('It is empty', 'Enter it.')],
	])('is %s in %j if these fail: %j', (...row) => {
		const [expected, parameters, failing, error = new Error(SYNTAX)] = row;
		const context = {
			getNode: () => ({ parameters }),
			getNodeParameter: (path: string, item: number, _: unknown, options: object) => {
				expect([item, options]).toEqual([7, { skipValidation: true }]);
				if (path in failing) throw new Error(failing[path]);
			},
		} as unknown as IExecuteFunctions;
		expect(nameField(context, 7, FIELDS, error)).toBe(expected);
	});
});

const URL = 'https://api.example.com';
/** What n8n computes from an expression of the credential, by item. */
const COMPUTED = ['key-a', 'key-b', 'key-a'];
const NOT_SET = new Error('Node does not have any credentials set');
const credentials = { businessMessagingApi: { id: '1', name: 'Account' } };
const TOOL = { getNode: () => ({ type: 'businessMessagingTool', credentials }) };
const OF_ITEM = '={{ $json.key }}';

/** The connections of the items of a node with this credential, and how often it was read. */
async function connectionsOf(
	stored: ICredentialDataDecryptedObject,
	{ computed = COMPUTED as unknown[], more = {} } = {},
) {
	const all = { baseUrl: URL, ...stored };
	const getCredentials = jest.fn(async (_: string, itemIndex: number) => {
		const value = computed[itemIndex];
		if (value instanceof Error) throw value;
		const fields = Object.entries(all).map(([name, text]) =>
			String(text).startsWith('=') ? [name, value] : [name, text],
		);
		return Object.fromEntries(fields);
	});
	const data = { main: [[{ json: {} }]] };
	const getDecrypted = jest.fn(async (...[inside, , , , executeData, isRaw]: unknown[]) => {
		expect(inside).toEqual({ credentialsHelper: { getDecrypted }, executionContext: 'of the run' });
		// n8n reads the item from the data, and the node; only the raw credential has its expressions.
		expect(executeData).toEqual({ data, node: expect.objectContaining({ credentials }) });
		return isRaw === true ? all : {};
	});
	const context = {
		...EXECUTION,
		additionalData: { credentialsHelper: { getDecrypted } },
		getCredentials,
		getExecuteData: () => ({ data }),
		getExecutionContext: () => 'of the run',
		getNode: () => ({ type: 'businessMessaging', credentials }),
		...more,
	} as unknown as IExecuteFunctions;
	const connectionOf = await openConnections(context);
	const connections = await Promise.all(computed.map(async (_, item) => await connectionOf(item)));
	return { connections, reads: getCredentials.mock.calls.length };
}

// docs/credentials.md: each item with its own account
describe('a credential', () => {
	it.each(['key', '{{$json.key}}', "=pre-{{$secrets.vault['the key']}}-{{ $env.KEY }}"])(
		'that is the same for all items is read once: %s',
		async (apiKey) => {
			const { connections, reads } = await connectionsOf({ apiKey }, { more: TOOL });
			expect([new Set(connections).size, reads]).toEqual([1, 1]);
		},
	);

	it.each<[string, object]>([
		[OF_ITEM, {}],
		['={{ $vars.key }}{{ $json.suffix }}', {}],
		// As in an n8n that does not show what is stored.
		[OF_ITEM, { additionalData: undefined }],
	])('of an item is read for each, and the same key is the same account: %s', async (...row) => {
		const [apiKey, more] = row;
		const { connections } = await connectionsOf({ apiKey }, { more });
		expect(connections.map((connection) => connection.apiKey)).toEqual(COMPUTED);
		expect(connections[2]).toBe(connections[0]);
	});

	it('is read for each item when only the Base URL is an expression', async () => {
		const stored = { apiKey: 'key', baseUrl: '={{ $json.url }}' };
		const { connections } = await connectionsOf(stored, { computed: [`${URL}/a`, `${URL}/b`] });
		expect(connections[1]).toEqual({ baseUrl: `${URL}/b`, apiKey: 'key', ofItem: 1 });
	});

	// SECURITY, The API key: tools
	it('of an item is refused in the tool of an agent', async () => {
		await expect(connectionsOf({ apiKey: OF_ITEM }, { more: TOOL })).rejects.toMatchObject({
			code: 'wrongCredential',
			sentences: expect.stringMatching(
				/which the tool .* can't use\. n8n does not say .* fixed values\.$/,
			),
		});
	});
});

/** n8n's error may repeat the key. */
const BROKEN = new Error('key-4711 is no JSON [Error resolving credentials]');

it.each<[string, unknown, RegExp]>([
	[
		OF_ITEM,
		'',
		/^The credential has no API key\. Check the credential's expressions, and the fields/,
	],
	['', '', /^The credential has no API key\. Open the credential and paste the key/],
	[OF_ITEM, BROKEN, /^An expression in the credential can't be computed\. Open the credential/],
])('a wrong credential (%j) is told with where to mend it', async (apiKey, value, sentences) => {
	await expect(connectionsOf({ apiKey }, { computed: [value] })).rejects.toMatchObject({
		sentences: expect.stringMatching(sentences),
		code: 'wrongCredential',
	});
});

it.each<[string, object]>([
	[OF_ITEM, {}],
	['key', { getNode: () => ({ type: 'x' }) }],
])('no credential fails as n8n says', async (apiKey, more) => {
	await expect(connectionsOf({ apiKey }, { computed: [NOT_SET], more })).rejects.toBe(NOT_SET);
});
