import type { INodeParameters } from 'n8n-workflow';

import { MISBEHAVIORS, sentAs, startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { runNode, SEND } from '../support/runNode.ts';

const REFUSED = '+14155552670';
const ITEMS = [REFUSED, '+14155552671', '+14155552672'].map((to) => ({ to }));

let server: FaultServer;

beforeEach(async () => {
	server = await startFaultServer((number) =>
		number === 0 ? MISBEHAVIORS.refused400 : sentAs(`m${number}`),
	);
});

afterEach(async () => await server.close());

/** An expression that gives something else in the second try, when the node's memory is there. */
function later(first: string, second: string) {
	return `={{ $node["Node"].context.sentMessages ? ${second} : ${first} }}`;
}

/** Two tries with "continue on error", of which the first sends all but the first item. */
async function twoTries(options: INodeParameters, changes: INodeParameters = {}) {
	return await runNode({
		baseUrl: server.url,
		parameters: {
			...SEND,
			...changes,
			options: { concurrency: 1, requestsPerMinute: 0, ...options },
		},
		items: ITEMS,
		settings: {
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		},
	});
}

const SENT_BEFORE = ['m1', 'm2'].map((id) => expect.objectContaining({ message_id: id }));

// README, Good to know: Retry On Fail sends only the rest
describe('what the first try sent keeps its result in a second one that', () => {
	it.each<[string, INodeParameters, string]>([
		['is over the spending limit', { spendingLimit: later('100', '0') }, 'Nothing more was sent.'],
		['has an option that is wrong', { concurrency: later('1', '"x"') }, 'enter a number'],
	])('%s', async (_, options, remedy) => {
		const { json } = await twoTries(options);
		expect(json).toEqual([
			{ error: expect.objectContaining({ remedy: expect.stringContaining(remedy) }) },
			...SENT_BEFORE,
		]);
		expect(server.received).toHaveLength(3);
	});

	it('cannot read the items any more', async () => {
		const { json } = await twoTries({}, { to: later('$json.to', '"call me"') });
		const error = expect.objectContaining({
			message: 'The recipient "call me" is not a phone number',
		});
		expect(json).toEqual([{ error }, ...SENT_BEFORE]);
	});
});

// SECURITY, Known limits: Spending Limit holds for one run of one node
it.each([
	['leaves the second what it may still cost', '0.345', { message_id: 'm3' }],
	['is not spent once more', '0.344', { error: expect.objectContaining({ outcome: 'notSent' }) }],
])('what the first try spent %s', async (_, limit, first) => {
	const { json } = await twoTries({ spendingLimit: later('100', limit) });
	expect(json).toEqual([expect.objectContaining(first), ...SENT_BEFORE]);
});

it('the memory is gone from an execution whose second try went well', async () => {
	const { run } = await twoTries({});
	expect(run.data.executionData?.contextData).toEqual({ 'node:Node': {} });
});
