import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startLocalApi } from '../../playground/api/server.ts';
import type { LocalApi } from '../../playground/api/server.ts';
import { ACCOUNT, runNode, SEND } from './runNode.ts';

/** A local API of its own for each test of the file, and the node that sends over it. */
export function localAccount() {
	let api: LocalApi;

	beforeEach(async () => {
		api = await startLocalApi({ apiKeys: [ACCOUNT] });
	});

	afterEach(async () => await api.close());

	return {
		api: () => api,
		bodies: () => api.calls.map(({ body }) => body),
		send: async (
			parameters: INodeParameters,
			items: IDataObject[] = [{ to: '+14155552671' }],
			settings = {},
		) => {
			const run = { baseUrl: api.url, parameters: { ...SEND, ...parameters } };
			return await runNode({ ...run, items, settings });
		},
	};
}
