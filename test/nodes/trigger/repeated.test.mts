import { execute } from '../../support/executedTrigger.mts';
import { systemClock } from '../../support/fastClock.mts';
import { ProcessedData } from '../../support/processedData.mts';
import { incoming, post, type WebhookSetting } from '../../support/webhookDouble.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const HOUR_MS = 3_600_000;
const IN_PLACE = '(workflow "Answers", node "Trigger")';

/** What the sender is told about a delivery, after whose acceptance n8n runs the workflow. */
async function deliver(body: object, setting: WebhookSetting = {}): Promise<string> {
	const { body: answer, items } = await post(body, {}, setting);
	const { status } = answer as { status: string };
	expect(items?.length).toBe(status === 'accepted' ? 1 : undefined);
	const isDropped = items && (await execute(items, setting)).output.length === 0;
	return isDropped ? 'accepted, but dropped' : status;
}

// README, Top: repeated events are dropped
// SECURITY, The trigger: a delivery that comes again
describe('a repeated delivery', () => {
	it('does not start the workflow, for each node of each workflow by itself, and the log has a line', async () => {
		const body = incoming();
		const alike = { workflowId: '1', nodeId: '12' };
		const others = [{ nodeId: 'b' }, { workflowId: 'b' }, alike, { workflowId: '11', nodeId: '2' }];
		for (const answer of ['accepted', 'duplicate']) {
			for (const trigger of [{}, ...others]) expect(await deliver(body, trigger)).toBe(answer);
		}
		const reason = 'an execution of this process has this "message.incoming" already';
		expect((await post(body)).log).toEqual([`Webhook event dropped: ${reason} ${IN_PLACE}`]);
	});

	it('starts the workflow of a node that does not deduplicate, or while the editor listens', async () => {
		const body = incoming();
		await deliver(body);
		const repeating = { parameters: { options: { deduplicate: 'false' } } };
		expect(await deliver(body, repeating)).toBe('accepted');
		const tested = incoming();
		for (const mode of ['manual', 'manual', 'webhook', 'manual'] as const) {
			expect(await deliver(tested, { mode })).toBe('accepted');
		}
	});

	// docs/scaling.md: repeated events are dropped once more by the workers
	it.each([
		[2, { options: { deduplicationHours: ' 2 ' } }],
		[24, {}],
	])('is remembered for %d hours, and by the database for up to a day longer', async (...row) => {
		const [hours, parameters] = row;
		const body = incoming();
		await deliver(body, { parameters });
		systemClock.pass(hours * HOUR_MS - 1);
		expect(await deliver(body, { parameters })).toBe('duplicate');
		systemClock.pass(1);
		expect(await deliver(body, { parameters })).toBe('accepted, but dropped');
		systemClock.pass((hours + 24) * HOUR_MS);
		expect(await deliver(body, { parameters })).toBe('accepted');
	});

	// docs/scaling.md: n8n answers 200 and then loses the execution
	it('replaces a delivery that n8n has answered with 200 and lost', async () => {
		const body = incoming();
		expect((await post(body)).body).toEqual({ status: 'accepted' });
		expect(await deliver(body)).toBe('accepted');
		expect(await deliver(body)).toBe('duplicate');
	});

	it.each([
		[200, 2 * HOUR_MS - 1, 'duplicate'],
		[200, 2 * HOUR_MS, 'accepted'],
		[400, 0, 'accepted'],
		// None, because n8n was cut off.
		[0, 0, 'accepted'],
	])('in engine v2, after an answer %d, is %d ms later a %s', async (status, ms, expected) => {
		const body = incoming();
		const parameters = { options: { deduplicationHours: 2 } };
		const setting = { engineType: 'v2', parameters } as const;
		const first = await post(body, {}, { ...setting, isUnderWay: true });
		first.end(status, status > 0);
		await new Promise(setImmediate);
		systemClock.pass(ms);
		expect((await post(body, {}, setting)).body).toEqual({ status: expected });
		// n8n 2.38 runs it in engine v1, whatever the workflow's settings say.
		expect((await execute(first.items)).output).toHaveLength(1);
	});
});

// docs/scaling.md: while n8n is storing the first; leaves an execution without items, which says why
it('of two deliveries that n8n stores at the same moment one execution drops its event, and says why', async () => {
	const body = incoming();
	const first = await post(body, {}, { isUnderWay: true });
	const copy = await post(body);
	expect(await execute(first.items)).toMatchObject({ output: [{}], hints: [], log: [] });
	const message = expect.stringMatching(
		/^This event was delivered before, and another execution has it, .* where you can retry it\. /,
	);
	expect(await execute(copy.items)).toEqual({
		output: [],
		outputs: [[]],
		hints: [{ message, type: 'info', location: 'outputPane' }],
		log: [`Webhook event dropped: another execution has this event already ${IN_PLACE}`],
	});
	first.end(200);
	expect(await deliver(body)).toBe('duplicate');
	expect(await execute(copy.items, { mode: 'retry' })).toMatchObject({ output: [{}], log: [] });
});

it('an item without a delivery key runs as often as it comes', async () => {
	const once = await execute([{ deliveryKey: 7 }]);
	expect([once, await execute([{ deliveryKey: 7 }])]).toMatchObject(
		Array(2).fill({ output: [{}] }),
	);
});

// docs/scaling.md: where a trigger gets no rows
it.each([
	['without rows of its own, at once', { more: { node: undefined } }, 0, 'gives this node no rows'],
	[
		'whose database fails, after minutes',
		{ table: new ProcessedData(async () => await Promise.reject(new Error('none\nat all'))) },
		300_000,
		`none\\u{a}at all ${IN_PLACE}`,
	],
])('in an n8n %s an event runs, and the log says so', async (_, setting, ms, why) => {
	const { items } = await post(incoming());
	const before = systemClock.ticks();
	const { output, log } = await execute(items, setting);
	expect(output).toHaveLength(1);
	expect(systemClock.ticks() - before).toBe(ms);
	const problem = 'The memory for repeated events could not be used: ';
	expect(log).toEqual([expect.stringContaining(problem)]);
	expect(log[0]).toContain(why);
});

it('what webhook() has spread for engine v2 is taken from all outputs, and is not remembered unless it is to be', async () => {
	const item = { json: { event: 'message.read', deliveryKey: 'k' } };
	const getExecuteData = () => ({ node: {}, data: { main: [[], null, [item]] } });
	const parameters = { outputMode: 'perEvent', options: { deduplicate: false } };
	const more = { getExecuteData, node: undefined };
	const { outputs, log } = await execute([], { parameters, more });
	expect([outputs, log]).toEqual([[[], [], [], [item], [], [], [], []], []]);
});

it.each([
	[{ options: { deduplicate: 'no' } }, {}, 'Drop Repeated Events is "no"', 'Turn it on or off'],
	[{}, { notAccepted: { message: 'Refused: why', remedy: 'Do.' } }, 'Refused: why', 'Do.'],
])('a run with %j and %j ends with what is wrong', async (parameters, json, message, remedy) => {
	await expect(execute([json], { parameters })).rejects.toMatchObject({
		message,
		description: expect.stringContaining(remedy),
	});
});
