import { incoming, post } from '../../support/triggerPost.ts';

/** Which of its outputs n8n is handed items for. */
async function leaving(engineType: 'v1' | 'v2' | undefined, outputMode: string | undefined) {
	const parameters = { events: ['*'], outputMode };
	const { outputs } = await post(
		incoming({ event: 'message.sent' }),
		{},
		{ engineType, parameters },
	);
	return outputs?.flatMap((items, index) => items.map(() => index));
}

it.each([
	['v2', 'perEvent', [1]],
	['v2', 'single', [0]],
	['v2', undefined, [0]],
	// Here execute() spreads them: what webhook() puts on a later output is dropped by n8n.
	['v1', 'perEvent', [0]],
	[undefined, 'perEvent', [0]],
] as const)('in the engine %s and the mode %s an event leaves through %j', async (...row) => {
	const [engineType, outputMode, outputs] = row;
	expect(await leaving(engineType, outputMode)).toEqual(outputs);
});

it('a refused test event starts nothing in engine v2, which would pass it on as an event', async () => {
	const listening = { mode: 'manual', engineType: 'v2' } as const;
	const { status, outputs, log } = await post('hello', {}, listening);
	expect([status, outputs]).toEqual([400, undefined]);
	expect(log).toEqual(['Webhook request answered 400: The body is not valid JSON']);
});
