import { createRequire } from 'node:module';
import type { Benchmark, Fact } from '../benchmark.mts';
import { bundled } from '../bundled.mts';
import { atMost, median, type Figure } from '../figures.mts';

type Scenes = typeof import('../../test/support/simulation/scenes.mts');

/** At 60 a minute the last window of 240 sends begins after three minutes, of 960 after fifteen. */
const PROCESSES: Array<[count: number, sends: number, leastS: number]> = [
	[1, 240, 180],
	[2, 240, 180],
	[4, 240, 180],
	[8, 480, 420],
	[32, 960, 900],
];
const SERVERS = {
	'fixed window, headers': { window: 'fixed', headers: true },
	'fixed window, no headers': { window: 'fixed', headers: false },
	'sliding window, headers': { window: 'sliding', headers: true },
	'sliding window, no headers': { window: 'sliding', headers: false },
} as const;
const HOUR_MS = 3_600_000;
/** Messages, the time that each is waited for, and when they are delivered, in ms. */
const WAITS: Array<[items: number, timeoutMs: number, deliveredAfterMs: number]> = [
	[10, 60_000, 3000],
	[30, 60_000, 3000],
	[100, 60_000, 3000],
	[100, 600_000, 3000],
	[500, HOUR_MS, Infinity],
];

export const pacing: Benchmark = {
	title: 'simulated: the rate limit under several processes, and waiting for delivery',
	async run({ pairs }) {
		const { play, processesWith } = await simulatedScenes();
		const seeds = Array.from({ length: pairs }, (_, index) => index + 1);
		const figures: Figure[] = [];
		const facts: Fact[] = [];
		for (const [server, limit] of Object.entries(SERVERS)) {
			for (const [count, sends, leastS] of PROCESSES) {
				const scenes = seeds.map((seed) => ({
					limit,
					seed,
					processes: processesWith(count, sends),
				}));
				const outcomes = await Promise.all(scenes.map(play));
				const what = `${server}, processes: ${count}`;
				const aim = count <= 4 ? atMost(1.05) : undefined;
				const sent = outcomes.filter((outcome) => outcome.sends === sends);
				if (sent.length > 0) {
					const times = sent.map(({ lastSendAt }) => ({ ours: lastSendAt, reference: leastS }));
					figures.push({ what, reference: 'the least', unit: 's', pairs: times, aim });
				}
				const middle = (read: (outcome: (typeof outcomes)[0]) => number) =>
					median(outcomes.map(read));
				facts.push(
					{
						what,
						value: middle(({ rateLimited }) => rateLimited / sends),
						unit: 'answers 429 per send',
					},
					{ what, value: middle(({ failed }) => failed), unit: 'not sent' },
					{ what, value: middle(({ twice }) => twice), unit: 'sent twice' },
				);
			}
			for (const [items, waitTimeoutMs, deliveredAfterMs] of WAITS) {
				const run = { name: 'run', items, waitTimeoutMs };
				const outcome = await play({ limit, processes: [[run]], deliveredAfterMs });
				const what = `${server}, ${items} messages waited for ${waitTimeoutMs / 1000} s`;
				facts.push(
					{ what, value: outcome.lastSendAt, unit: 's until the last send' },
					{ what, value: outcome.delivered, unit: 'seen delivered' },
					{ what, value: outcome.longestWait, unit: 's the longest wait' },
					{ what, value: outcome.endsAt, unit: 's in all' },
				);
			}
		}
		return { figures, facts };
	},
};

/** The simulated APIs of the tests, with the nodes' own client. */
async function simulatedScenes(): Promise<Scenes> {
	const file = await bundled('test/support/simulation/scenes.mts', 'scenes.cjs');
	return createRequire(file)(file) as Scenes;
}
