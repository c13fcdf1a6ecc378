import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { openConnections } from '../../../../nodes/BusinessMessaging/actions/run/connections';

const URL = 'https://api.example.com';
/** What n8n computes of an expression, by item. */
const COMPUTED = ['key-a', 'key-b', 'key-a'];

type Stored = ICredentialDataDecryptedObject;

/** A node with this credential, whose fields with expressions have another value for each item. */
function nodeWith(stored: Stored, computed: unknown[] = COMPUTED, more: object = {}) {
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

async function keysOf(context: IExecuteFunctions): Promise<string[]> {
	const connectionOf = await openConnections(context);
	const connections = await Promise.all(COMPUTED.map(async (_, item) => await connectionOf(item)));
	return connections.map(({ apiKey }) => apiKey);
}

describe('a credential that is the same for all items', () => {
	it.each([
		['key'],
		['{{$json.key}}'],
		['={{ $vars.key }}'],
		["=pre-{{$secrets.vault['the key']}}-{{ $env.KEY }}"],
	])('is read once: %s', async (apiKey) => {
		const { context, getCredentials, getDecrypted } = nodeWith({ apiKey });
		expect(new Set(await keysOf(context)).size).toBe(1);
		expect(getCredentials).toHaveBeenCalledTimes(1);
		expect(getDecrypted).toHaveBeenCalledTimes(1);
	});
});

// README, Good to know: each item with its own account
describe('a credential that may be another one for each item', () => {
	it.each([
		['={{ $json.key }}'],
		["={{ $('Start').item.json.key }}"],
		['={{ $vars[$json.tenant] }}'],
		['={{ $vars.key + $json.suffix }}'],
		['={{ $vars.key }}{{ $json.suffix }}'],
	])('is read for each: %s', async (apiKey) => {
		expect(await keysOf(nodeWith({ apiKey }).context)).toEqual(COMPUTED);
	});

	it('is read for each when only the Base URL is an expression', async () => {
		const { context } = nodeWith({ apiKey: 'key', baseUrl: '={{ $json.url }}' }, [
			`${URL}/a`,
			`${URL}/b`,
			`${URL}/a`,
		]);
		const connectionOf = await openConnections(context);
		expect(await connectionOf(1)).toEqual({ baseUrl: `${URL}/b`, apiKey: 'key', ofItem: 1 });
	});

	it('is one account for the items that have the same', async () => {
		const connectionOf = await openConnections(nodeWith({ apiKey: '={{ $json.key }}' }).context);
		const [first, second, third] = [
			await connectionOf(0),
			await connectionOf(1),
			await connectionOf(2),
		];
		expect(third).toBe(first);
		expect(second).not.toBe(first);
	});

	it('is read for each in an n8n that does not show what is stored', async () => {
		const { context } = nodeWith({ apiKey: '={{ $json.key }}' }, COMPUTED, {
			additionalData: undefined,
		});
		expect(await keysOf(context)).toEqual(COMPUTED);
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
		expect(await keysOf(fixed.context)).toHaveLength(3);
	});
});

describe('what is wrong with the credential', () => {
	const reading = async (apiKey: string, value: unknown) => {
		const { context } = nodeWith({ apiKey }, [value]);
		await (
			await openConnections(context)
		)(0);
	};

	it('of an item is said with what to check', async () => {
		await expect(reading('={{ $json.key }}', undefined)).rejects.toMatchObject({
			message: 'The credential has no API key',
			remedy: expect.stringMatching(/^Check the credential's expressions, and the fields/),
		});
	});

	it('of all items is said with where to mend it', async () => {
		await expect(reading('', '')).rejects.toMatchObject({
			remedy: expect.stringContaining('Open the credential and paste the key'),
		});
	});

	it.each(['={{ $json.key }}', '={{ $env.KEY }}'])(
		'is not quoted when n8n can not compute it, for it may repeat the key: %s',
		async (apiKey) => {
			const thrown = new Error('key-4711 is no JSON [Error resolving credentials]');
			await expect(reading(apiKey, thrown)).rejects.toMatchObject({
				name: 'InputError',
				message: "An expression in the credential can't be computed",
			});
		},
	);

	it("is said in n8n's words when it is no expression", async () => {
		const thrown = new Error('Node does not have any credentials set');
		await expect(reading('key', thrown)).rejects.toBe(thrown);
		await expect(reading('={{ $json.key }}', thrown)).rejects.toBe(thrown);
	});
});

it('a node without a credential fails as n8n says', async () => {
	const thrown = new Error('Node does not have any credentials set');
	const { context } = nodeWith({ apiKey: 'key' }, [thrown], { getNode: () => ({ type: 'x' }) });
	await expect(openConnections(context)).rejects.toBe(thrown);
});
