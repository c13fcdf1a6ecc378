import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalApi, type Settings, startLocalApi } from '../../playground/api/server.mts';
import { useDeduplicator } from './deduplicator.mts';
import { ACCOUNT, CONTINUE, type NodeRun, runNode, SEND } from './runNode.mts';

/** A local API of its own for each test of the file, and the node that sends over it. */
export function localAccount(settings: Partial<Settings> = {}) {
	let api: LocalApi;

	beforeEach(async () => {
		api = await startLocalApi({ apiKeys: [ACCOUNT], ...settings });
	});

	afterEach(async () => await api.close());

	const own = {
		api: () => api,
		bodies: () => api.calls.map(({ body }) => body),
		send: async (
			parameters: INodeParameters,
			items: IDataObject[] = [{ to: '+14155552671' }],
			settings = {},
			more: Partial<NodeRun> = {},
		) => {
			const run = { baseUrl: api.url, parameters: { ...SEND, ...parameters } };
			return await runNode({ ...run, items, settings, ...more });
		},
		sendTo: async (recipients: string[], options: INodeParameters = {}, settings = {}) =>
			await own.send(
				{ options },
				recipients.map((to) => ({ to })),
				settings,
			),
		look: async (parameters: INodeParameters, items: IDataObject[] = [{}], settings = {}) => {
			const run = { baseUrl: api.url, parameters: { operation: 'getStatus', ...parameters } };
			return await runNode({ ...run, items, settings });
		},
	};
	return own;
}

/** One without a rate limit, with n8n's memory of processed items, which is empty before each test. */
export function rememberingAccount() {
	const account = localAccount({ requestsPerWindow: 0, deliveredAfterMs: 0 });
	let memory: Awaited<ReturnType<typeof useDeduplicator>>;

	beforeAll(async () => {
		memory = await useDeduplicator();
	});

	beforeEach(() => {
		memory.fail();
		memory.rows.clear();
	});

	/** Goes on after errors, unless it is run with other settings. */
	const send = async (
		items: IDataObject[],
		options: INodeParameters = {},
		parameters: INodeParameters = {},
		more: Partial<NodeRun> = {},
	) => {
		const all = { ...parameters, options: { requestsPerMinute: 0, ...options } };
		const rows = items.map((item) => ({ to: '+14155552671', ...item }));
		return await account.send(all, rows, CONTINUE, more);
	};
	return { ...account, send, memory: () => memory };
}
