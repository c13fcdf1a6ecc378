import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { runWorkflow, type WorkflowToRun } from '../support/engine.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { API_KEY, SEND } from '../support/runNode.ts';

const ASK = {
	...SEND,
	operation: 'sendAndWait',
	to: '+14155552671',
	variablesInput: 'json',
	variablesJson: '{"1": "[link]"}',
	message: 'May we?',
	options: { requestsPerMinute: 0 },
};

let server: FaultServer;

/** The first message may have gone, and each one after it has. */
beforeEach(async () => {
	server = await startFaultServer((number) =>
		number === 0 ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
	);
});

afterEach(async () => await server.close());

async function ask(node: Partial<WorkflowToRun['nodes'][0]>, connections = {}) {
	await runWorkflow({
		nodes: [{ name: 'Ask', type: 'businessMessaging', parameters: ASK, ...node }],
		connections,
		nodeTypes: {
			businessMessaging: new BusinessMessaging(),
			businessMessagingHitlTool: new BusinessMessaging(),
		},
		credentials: [
			{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
		],
	});
	return server.received.map((body) => /https?:[^"]*/.exec(body)?.[0]);
}

// SECURITY, The link of a question: an earlier one answers no later question
it('the link of a message that may have gone does not answer the next question', async () => {
	const links = await ask(
		{ onError: 'continueErrorOutput' },
		{ Ask: { main: [[], [{ node: 'Ask', type: 'main', index: 0 }]] } },
	);
	expect(links).toEqual([expect.stringContaining('round='), expect.stringContaining('round=')]);
	expect(links[0]).not.toBe(links[1]);
});

// README, Good to know: Retry On Fail sends only the rest
it.each(['businessMessaging', 'businessMessagingHitlTool'])(
	'%s: a second try does not ask again what may have been asked',
	async (type) => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		expect(await ask({ type, ...settings })).toHaveLength(1);
	},
);
