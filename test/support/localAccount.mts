import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type LocalApi, type Settings, startLocalApi } from '../../playground/api/server.mts';
import { ACCOUNT, type NodeRun, runNode, SEND } from './runNode.mts';

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
