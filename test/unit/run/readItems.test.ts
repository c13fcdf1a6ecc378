import type {
	ICredentialDataDecryptedObject,
	IDataObject,
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
import { withParameters } from '../../support/parameters.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtualClock.ts';

describe('reading 20 items', () => {
	const ITEMS = Array<IDataObject>(20).fill({});
	const CONNECTION = { baseUrl: 'https://api.example.com', apiKey: 'key' };

	let clock: VirtualClock;
	let canceled: AbortController;
	let sleep: jest.SpyInstance;

	beforeEach(() => {
		clock = createVirtualClock();
		canceled = new AbortController();
		sleep = jest.spyOn(clock, 'sleep').mockImplementation(async () => undefined);
	});

	/** @param ms that each of them takes */
	async function readIn(ms: number, signal: AbortSignal | undefined = canceled.signal) {
		const operation = {
			read(_: unknown, itemIndex: number) {
				clock.pass(ms);
				return itemIndex;
			},
		} as unknown as Operation<unknown>;
		const context = { getInputData: () => ITEMS, getExecutionCancelSignal: () => signal };
		const given = context as unknown as IExecuteFunctions;
		return await readItems(given, operation, undefined, () => CONNECTION, clock);
	}

	it('keeps their order, and gives n8n time every 50 ms', async () => {
		expect(await readIn(10)).toEqual(ITEMS.map((_, job) => ({ job, connection: CONNECTION })));
		expect(sleep.mock.calls).toEqual([[0], [0], [0], [0]]);
	});

	it('gives n8n no time that it does not need', async () => {
		await readIn(1);
		expect(sleep).not.toHaveBeenCalled();
	});

	it('stops when the execution was canceled meanwhile, where n8n tells it', async () => {
		sleep.mockImplementation(async () => canceled.abort());
		expect(await readIn(10)).toHaveLength(5);
		expect(await readIn(10, null as never)).toHaveLength(20);
	});
});

describe('an error that n8n throws while it reads a node', () => {
	const CHECK = 'Check the expressions of this node.';
	const CHOOSE = 'Choose a credential at the top of the node.';
	const UNSET = 'Node does not have any credentials set for "x"';
	const DELETED = 'Credential with ID "7" does not exist for type "x".';

	it.each<[object, string, string]>([
		[new InputError('The recipient is empty', 'Enter it.'), 'The recipient is empty', 'Enter it.'],
		[{ message: 'no node', description: 'Connect it.' }, 'no node', 'Connect it.'],
		[{ message: 'no node', description: '' }, 'no node', CHECK],
		[{ message: 'no node', description: 7 }, 'no node', CHECK],
		[{ message: '' }, 'A parameter could not be read', CHECK],
		[{ message: 7 }, 'A parameter could not be read', CHECK],
		[new Error(UNSET), 'No credential is chosen', CHOOSE],
		[new Error(DELETED), 'The chosen credential does not exist', CHOOSE],
	])('(%j) is an input error', (thrown, message, remedy) => {
		expect(asInputError(thrown)).toMatchObject({ name: 'InputError', message, remedy });
	});

	it.each([
		['no node', "The expression in To can't be computed: no node"],
		['', "The expression in To can't be computed"],
	])('with the message "%s" is about its field', (message, whole) => {
		expect(asInputError({ message }, 'To')).toMatchObject({
			message: whole,
			remedy: 'Check the expression in this field.',
		});
	});
});

describe('the field whose expression n8n can not compute', () => {
	const field = (name: string, displayName: string): INodeProperties => ({
		...{ name, displayName },
		...{ type: 'string', default: '' },
	});
	const FIELDS: INodeProperties[] = [
		field('to', 'To'),
		field('templateName', 'Template Name'),
		{ ...field('variableList', 'Variables'), type: 'fixedCollection' },
		{
			...field('options', 'Options'),
			type: 'collection',
			options: [field('rate', 'Rate'), field('country', 'Country')],
		},
	];
	const SYNTAX = new Error('invalid syntax');
	const BOTH = { to: '={{ x }}', templateName: '={{ y }}' };
	const OPTIONS = { options: { rate: '={{ x }}', country: '={{ y }}' } };

	/** n8n fails in its own way at these paths, and at every path that needs validation. */
	function nameIn(parameters: INodeParameters, failing: Record<string, string>, error = SYNTAX) {
		const computed: string[] = [];
		const context = withParameters(
			{},
			{
				getNode: () => ({ parameters }),
				getNodeParameter: (path: string, item: number, _: unknown, options: object) => {
					computed.push(path);
					expect(item).toBe(7);
					if (path in failing) throw new Error(failing[path]);
					if (!('skipValidation' in options && options.skipValidation)) throw SYNTAX;
				},
			},
		);
		return { field: nameField(context, 7, FIELDS, error), computed };
	}

	it.each<[string | undefined, INodeParameters, Record<string, string>]>([
		['To', BOTH, { to: SYNTAX.message }],
		['Template Name', BOTH, { templateName: SYNTAX.message }],
		['Template Name', BOTH, { to: 'no node', templateName: SYNTAX.message }],
		[
			'Variables',
			{ variableList: { values: [{ value: 'a' }, { value: '={{ y }}' }] } },
			{ variableList: SYNTAX.message },
		],
		['Options → Country', OPTIONS, { options: SYNTAX.message, 'options.country': SYNTAX.message }],
		['Options', OPTIONS, { options: SYNTAX.message }],
		[undefined, { to: '={{ x }}' }, { templateName: SYNTAX.message }],
		[undefined, {}, { to: SYNTAX.message }],
	])('is %s in %j', (expected, parameters, failing) => {
		expect(nameIn(parameters, failing).field).toBe(expected);
	});

	it('is searched for among expressions only', () => {
		const parameters = { to: '+1', templateName: 5, variableList: { values: [{ value: 'a=' }] } };
		expect(nameIn(parameters, {}).computed).toEqual([]);
	});

	it('is not searched for when a value is wrong, whose error names the field', () => {
		const failing = { to: 'The recipient is empty' };
		const error = new InputError('The recipient is empty', 'Enter it.');
		expect(nameIn({ to: '={{ x }}' }, failing, error).field).toBeUndefined();
	});
});

const URL = 'https://api.example.com';
/** The key that n8n computes from an expression, by item. */
const COMPUTED = ['key-a', 'key-b', 'key-a'];
const NOT_SET = new Error('Node does not have any credentials set');

/** A node with this credential, whose fields with expressions have another value for each item. */
function nodeWith(
	stored: ICredentialDataDecryptedObject,
	computed: unknown[] = COMPUTED,
	more: object = {},
) {
	const getCredentials = jest.fn(async (_: string, itemIndex: number) => {
		const value = computed[itemIndex];
		if (value instanceof Error) throw value;
		const fields = Object.entries({ baseUrl: URL, ...stored });
		return await Promise.resolve(
			Object.fromEntries(
				fields.map(([name, text]) => [name, String(text).startsWith('=') ? value : text]),
			),
		);
	});
	const getDecrypted = jest.fn(async () => await Promise.resolve({ baseUrl: URL, ...stored }));
	const context = {
		additionalData: { credentialsHelper: { getDecrypted } },
		getCredentials,
		getExecuteData: () => ({}),
		getMode: () => 'trigger',
		getNode: () => ({
			type: 'businessMessaging',
			credentials: { businessMessagingApi: { id: '1', name: 'Account' } },
		}),
		...more,
	} as unknown as IExecuteFunctions;
	return { context, getCredentials, getDecrypted };
}

async function connectionsOf(context: IExecuteFunctions) {
	const connectionOf = await openConnections(context);
	return await Promise.all(COMPUTED.map(async (_, item) => await connectionOf(item)));
}

it.each([
	['key'],
	['{{$json.key}}'],
	['={{ $vars.key }}'],
	["=pre-{{$secrets.vault['the key']}}-{{ $env.KEY }}"],
])('a credential that is the same for all items is read once: %s', async (apiKey) => {
	const { context, getCredentials, getDecrypted } = nodeWith({ apiKey });
	expect(new Set(await connectionsOf(context)).size).toBe(1);
	expect(getCredentials).toHaveBeenCalledTimes(1);
	expect(getDecrypted).toHaveBeenCalledTimes(1);
});

// README, Good to know: each item with its own account
describe('a credential that may be another one for each item', () => {
	it.each<[string, object]>([
		['={{ $json.key }}', {}],
		['={{ $vars[$json.tenant] }}', {}],
		['={{ $vars.key + $json.suffix }}', {}],
		['={{ $vars.key }}{{ $json.suffix }}', {}],
		// As in an n8n that does not show what is stored.
		['={{ $json.key }}', { additionalData: undefined }],
	])('is read for each: %s', async (apiKey, more) => {
		const connections = await connectionsOf(nodeWith({ apiKey }, COMPUTED, more).context);
		expect(connections.map((connection) => connection.apiKey)).toEqual(COMPUTED);
	});

	it('is one account for the items that have the same', async () => {
		const [first, second, third] = await connectionsOf(
			nodeWith({ apiKey: '={{ $json.key }}' }).context,
		);
		expect(third).toBe(first);
		expect(second).not.toBe(first);
	});

	it('is read for each when only the Base URL is an expression', async () => {
		const urls = [`${URL}/a`, `${URL}/b`, `${URL}/a`];
		const { context } = nodeWith({ apiKey: 'key', baseUrl: '={{ $json.url }}' }, urls);
		const [, second] = await connectionsOf(context);
		expect(second).toEqual({ baseUrl: `${URL}/b`, apiKey: 'key', ofItem: 1 });
	});

	// SECURITY, The API key: tools
	it('is refused in the tool of an agent', async () => {
		const getNode = () => ({
			type: 'businessMessagingTool',
			credentials: { businessMessagingApi: { id: '1', name: 'Account' } },
		});
		const { context } = nodeWith({ apiKey: '={{ $json.key }}' }, COMPUTED, { getNode });
		await expect(openConnections(context)).rejects.toMatchObject({
			name: 'InputError',
			message: expect.stringContaining('is an expression, which the tool of an AI agent'),
		});
		const fixed = nodeWith({ apiKey: '={{ $vars.key }}' }, COMPUTED, { getNode });
		expect(await connectionsOf(fixed.context)).toHaveLength(3);
	});
});

describe('a wrong credential', () => {
	const errorOf = async (apiKey: string, value: unknown, more = {}) =>
		await connectionsOf(nodeWith({ apiKey }, [value], more).context).catch(
			(error: unknown) => error,
		);

	it.each([
		[
			'of an item',
			'={{ $json.key }}',
			undefined,
			/^Check the credential's expressions, and the fie/,
		],
		['of all items', '', '', /Open the credential and paste the key/],
	])('%s is told with where to mend it', async (_, apiKey, value, remedy) => {
		expect(await errorOf(apiKey, value)).toMatchObject({
			message: 'The credential has no API key',
			remedy: expect.stringMatching(remedy),
		});
	});

	it.each(['={{ $json.key }}', '={{ $env.KEY }}'])(
		'is not quoted when n8n can not compute it, because it may repeat the key: %s',
		async (apiKey) => {
			const thrown = new Error('key-4711 is no JSON [Error resolving credentials]');
			expect(await errorOf(apiKey, thrown)).toMatchObject({
				name: 'InputError',
				message: "An expression in the credential can't be computed",
			});
		},
	);

	it('fails as n8n says when it is no expression, or there is none', async () => {
		expect(await errorOf('key', NOT_SET)).toBe(NOT_SET);
		expect(await errorOf('={{ $json.key }}', NOT_SET)).toBe(NOT_SET);
		expect(await errorOf('key', NOT_SET, { getNode: () => ({ type: 'x' }) })).toBe(NOT_SET);
	});
});
