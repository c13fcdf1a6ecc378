import type { INodeExecutionData, INodeType } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { MISBEHAVIORS, startFaultServer, type FaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const FAILING = '+14155552671';
const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

let server: FaultServer;

afterEach(async () => await server?.close());

async function run(toRun: Omit<WorkflowToRun, 'credentials'>) {
	const data = { baseUrl: server.url, apiKey: API_KEY };
	const credentials = [{ type: new BusinessMessagingApi(), data }];
	return await runWorkflow({ ...toRun, credentials });
}

test('requests of tests never leave this machine', async () => {
	const cause = { message: 'Tests reach loopback addresses only, not api.example.com.' };
	await expect(fetch('https://api.example.com/')).rejects.toMatchObject({ cause });
});

describe('a loop', () => {
	const ROUNDS = 3;
	const batch = [{ to: FAILING }, { to: '+14155552672' }, { to: '+14155552673' }];

	/** Puts out the batch several times, then what came back. */
	const loop: INodeType = {
		description: {
			...{ displayName: 'Loop', name: 'loop', description: '', group: ['transform'], version: 1 },
			...{ defaults: {}, inputs: ['main'], outputs: ['main', 'main'], properties: [] },
		},
		async execute(): Promise<INodeExecutionData[][]> {
			const memory = this.getContext('node');
			memory.round = Number(memory.round ?? 0) + 1;
			const items = batch.map((json, item) => ({ json, pairedItem: { item } }));
			return Number(memory.round) <= ROUNDS ? [items, []] : [[], this.getInputData()];
		},
	};

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends each item of each round once, with Retry On Fail and %s',
		async (onError) => {
			server = await startFaultServer((_, body) =>
				body.includes(FAILING) ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
			);
			const parameters = { ...SEND, options: { requestsPerMinute: 0 } };
			const back = to('Loop');
			await run({
				nodes: [
					{ name: 'Loop', type: 'loop' },
					{ name: 'Send', type: 'businessMessaging', parameters, onError, ...RETRY_ON_FAIL },
				],
				connections: {
					Loop: { main: [to('Send')] },
					Send: { main: onError === 'continueErrorOutput' ? [back, back] : [back] },
				},
				nodeTypes: { loop, businessMessaging: new BusinessMessaging() },
			});
			const counts = batch.map(
				(item) => server.received.filter((body) => body.includes(item.to)).length,
			);
			expect(counts).toEqual([ROUNDS, ROUNDS, ROUNDS]);
		},
	);
});

describe('a question', () => {
	const parameters = {
		...SEND,
		operation: 'sendAndWait',
		to: FAILING,
		variablesInput: 'json',
		variablesJson: '{"1": "[link]"}',
		message: 'May we?',
		options: { requestsPerMinute: 0 },
	};

	/** The first message may have gone, and each one after it has. @returns the links in them */
	async function ask(node: Partial<WorkflowToRun['nodes'][0]>, connections = {}) {
		server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
		);
		const asking = new BusinessMessaging();
		await run({
			nodes: [{ name: 'Ask', type: 'businessMessaging', parameters, ...node }],
			connections,
			nodeTypes: { businessMessaging: asking, businessMessagingHitlTool: asking },
		});
		return server.received.map((body) => /https?:[^"]*/.exec(body)?.[0]);
	}

	// SECURITY, The link of a question: an earlier one answers no later question
	it('the link of a message that may have gone does not answer the next question', async () => {
		const connections = { Ask: { main: [[], to('Ask')] } };
		const links = await ask({ onError: 'continueErrorOutput' }, connections);
		expect(links).toEqual([expect.stringContaining('round='), expect.stringContaining('round=')]);
		expect(links[0]).not.toBe(links[1]);
	});

	// docs/good-to-know.md: Retry On Fail sends only the rest
	it.each(['businessMessaging', 'businessMessagingHitlTool'])(
		'%s: a second try does not ask again what may have been asked',
		async (type) => {
			expect(await ask({ type, ...RETRY_ON_FAIL })).toHaveLength(1);
		},
	);
});
