import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { recallAsked } from '../../nodes/BusinessMessaging/actions/sendAndWait/wait';
import { loopOver, madeUpNode, runWorkflow, to, type WorkflowToRun } from '../support/engine.mts';
import { MISBEHAVIORS, useFaultServer } from '../support/faultServer.mts';
import { accountAt, RETRY, SEND } from '../support/runNode.mts';

const FAILING = '+14155552671';

const server = useFaultServer();

const run = async (toRun: WorkflowToRun) =>
	await runWorkflow({ ...toRun, credentials: accountAt(server.url) });

test('requests of tests never leave this machine', async () => {
	const cause = { message: 'Tests reach loopback addresses only, not api.example.com.' };
	await expect(fetch('https://api.example.com/')).rejects.toMatchObject({ cause });
});

interface Looped {
	parameters?: INodeParameters;
	options?: INodeParameters;
	settings?: Partial<INode>;
	mode?: WorkflowToRun['mode'];
	/** Where the outputs of the node lead: to the loop, to Mark, which leads there, or to End. */
	main: Array<ReturnType<typeof to>>;
}

/** A loop puts out these batches, one a round, and then what came back. */
async function loop(batches: IDataObject[][], looped: Looped) {
	const { parameters, options, settings, mode, main } = looped;
	const pass = madeUpNode(async function () {
		return [this.getInputData()];
	});
	const all = { ...SEND, ...parameters, options: { requestsPerMinute: 0, ...options } };
	const { run: ended, output } = await run({
		mode,
		nodes: [
			{ name: 'Loop', type: 'loop' },
			{ name: 'Send', type: 'businessMessaging', parameters: all, ...settings },
			{ name: 'Mark', type: 'pass' },
			{ name: 'End', type: 'pass' },
		],
		connections: { Loop: { main: [to('Send')] }, Send: { main }, Mark: { main: [to('Loop')] } },
		nodeTypes: { loop: loopOver(batches), pass, businessMessaging: new BusinessMessaging() },
	});
	return { output, rounds: ended.data.resultData.runData.Send };
}

// docs/outputs.md: a loop goes on with the items that come back
it.each<[string, INodeParameters, Array<ReturnType<typeof to>>, number, boolean]>([
	['a dry run, with Sent wired back', { dryRun: true }, [to('Loop')], 1, true],
	['the same by way of another node', { dryRun: true }, [to('Mark')], 1, true],
	['with Skipped as well', { dryRun: true }, [to('Loop'), to('Mark')], 3, false],
	['the same, wired to the node itself', { dryRun: true }, [to('Send')], 1, true],
	['with Sent leading elsewhere, too', { dryRun: true }, [[...to('Loop'), ...to('End')]], 1, true],
	['with Skipped leading elsewhere', { dryRun: true }, [to('Loop'), to('End')], 1, true],
	['with nothing wired', { dryRun: true }, [], 1, false],
	['a list that some are in', { doNotSendTo: FAILING }, [to('Loop')], 3, false],
])('%s: says if the loop ends after one batch', async (_, options, main, count, isTold) => {
	const batch = [{ to: FAILING }, { to: '+14155552672' }];
	const { rounds } = await loop([batch, batch, batch], { options, main });
	const told = 'The loop ends after this batch, because all its items left through Skipped.';
	const isSaid = rounds.map(({ hints }) => hints?.[0].message.includes(told));
	expect(isSaid).toEqual(Array(count).fill(isTold));
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a loop sends each item of each round once, skips on an output of its own, with Retry On Fail and %s',
	async (onError) => {
		server.behave = (_, body) =>
			body.includes(FAILING) ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent;
		const timeIn = (hours: number) =>
			new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
		/** Messages that are no authentication codes are skipped now. */
		const hours = { from: timeIn(2), until: timeIn(3), timeZone: 'other', otherTimeZone: 'UTC' };
		const numbers = ['+14155552670', FAILING, '+14155552672', '+14155552673'];
		// The first one is skipped, so the failing one comes first on its output.
		const batch = numbers.map((number, item) => {
			return { to: number, category: item === 0 ? 'marketing' : 'authentication' };
		});
		const { output } = await loop([batch, batch, batch], {
			parameters: { category: '={{ $json.category }}' },
			options: { sendBetween: { hours } },
			settings: { onError, ...RETRY },
			main: [to('Loop'), to('Loop'), to('Loop')],
		});
		const counts = numbers.map((each) => server.sentTo.filter((sent) => sent === each).length);
		expect(counts).toEqual([0, 3, 3, 3]);
		const left = [0, 1, 2].map((index) =>
			output('Send', index).map(({ pairedItem }) => (pairedItem as { item: number }).item),
		);
		const hasErrorOutput = onError === 'continueErrorOutput';
		expect(left).toEqual(hasErrorOutput ? [[2, 3], [0], [1]] : [[1, 2, 3], [0], []]);
	},
);

// docs/sending.md: Test Messages, all rounds of a loop together
it('a test of a loop sends three messages in all its rounds, also with Retry On Fail', async () => {
	const tried = new Set<string>();
	server.behave = (_, body) => {
		const isFirst = !tried.has(body);
		tried.add(body);
		return isFirst ? MISBEHAVIORS.refused400 : MISBEHAVIORS.sent;
	};
	const customers = [1, 2, 3, 4, 5, 6].map((number) => `+1415555267${number}`);
	const [first, second, third, ...others] = customers;
	const pairs = [[first, second], [third, others[0]], others.slice(1)];
	const batches = pairs.map((pair) => pair.map((number) => ({ to: number })));
	const { rounds } = await loop(batches, {
		mode: 'manual',
		parameters: { templateName: '=of_{{ $json.to }}' },
		options: { testRecipient: '+14155552600' },
		settings: RETRY,
		main: [to('Loop'), to('Loop')],
	});
	const left = [0, 1].map((output) =>
		rounds.flatMap(({ data }) => data?.main[output] ?? []).map(({ json }) => json.intendedTo),
	);
	expect(left).toEqual([[first, second, third], others]);
	expect(tried.size).toBe(3);
	expect(server.received).toHaveLength(6);
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

	// SECURITY, The link of a question: an earlier one answers no later question
	it('the link of a message that may have gone does not answer the next question', async () => {
		server.behave = (number) => (number === 0 ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent);
		const onError = 'continueErrorOutput';
		await run({
			nodes: [{ name: 'Ask', type: 'businessMessaging', parameters, onError }],
			connections: { Ask: { main: [[], [], to('Ask')] } },
			nodeTypes: { businessMessaging: new BusinessMessaging() },
		});
		const links = server.received.map((body) => /https?:[^"]*/.exec(body)?.[0]);
		expect(links).toEqual([expect.stringContaining('round='), expect.stringContaining('round=')]);
		expect(links[0]).not.toBe(links[1]);
	});

	it.each(['Ask', '{{ Ask }} "now"', 'Mr. constructor', 'Ask\u2028'])(
		'of a node named %j has a page',
		async (name) => {
			const node = { name, type: 'businessMessaging', parameters };
			const nodeTypes = { businessMessaging: new BusinessMessaging() };
			const { webhookOf } = await run({ nodes: [node], nodeTypes });
			expect(recallAsked(webhookOf(name))).toMatchObject({ round: 1 });
		},
	);
});
