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

it.each([
	['is no event', 400, 'hello', {}],
	['is not chosen', 200, incoming({ event: 'message.read' }), {}],
	['finds a wrong option', 500, incoming(), { options: { maxEventAgeMinutes: 'x' } }],
])(
	'a test event that %s starts nothing in engine v2, which would run on with the reason',
	async (_, answered, body, parameters) => {
		const listening = { mode: 'manual', engineType: 'v2', parameters } as const;
		const { status, outputs, log } = await post(body, {}, listening);
		expect([status, outputs]).toEqual([answered, undefined]);
		expect(log).toHaveLength(1);
	},
);
