import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { runWorkflow } from '../support/engine.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { API_KEY, SEND } from '../support/runNode.ts';

const ROUNDS = 3;

/** Puts out the same batch several times, then what came back. */
function loopOver(batch: IDataObject[], rounds: number): INodeType {
	return {
		description: {
			displayName: 'Loop',
			name: 'loop',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main', 'main'],
			properties: [],
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const memory = this.getContext('node');
			memory.round = Number(memory.round ?? 0) + 1;
			const items = batch.map((json, item) => ({ json, pairedItem: { item } }));
			return memory.round <= rounds ? [items, []] : [[], this.getInputData()];
		},
	};
}

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'sends each item of each round once, with Retry On Fail and %s',
	async (onError) => {
		const failing = '+14155552671';
		const server = await startFaultServer((_, body) =>
			body.includes(failing) ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
		);
		const batch = [{ to: failing }, { to: '+14155552672' }, { to: '+14155552673' }];
		const back = [{ node: 'Loop', type: 'main' as const, index: 0 }];
		await runWorkflow({
			nodes: [
				{ name: 'Loop', type: 'loop' },
				{
					name: 'Send',
					type: 'businessMessaging',
					parameters: { ...SEND, options: { requestsPerMinute: 0 } },
					onError,
					retryOnFail: true,
					maxTries: 3,
					waitBetweenTries: 1,
				},
			],
			connections: {
				Loop: { main: [[{ node: 'Send', type: 'main', index: 0 }]] },
				Send: { main: onError === 'continueErrorOutput' ? [back, back] : [back] },
			},
			nodeTypes: { loop: loopOver(batch, ROUNDS), businessMessaging: new BusinessMessaging() },
			credentials: [
				{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
			],
		});
		await server.close();
		const counts = batch.map(
			({ to }) => server.received.filter((body) => body.includes(to)).length,
		);
		expect(counts).toEqual([ROUNDS, ROUNDS, ROUNDS]);
	},
);
