import { RANDOM_TIMES } from '../../../support/sample.mts';
import type { SimulatedLimit } from '../../../support/simulation/api.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import type { SimulatedRun } from '../../../support/simulation/run.mts';
import { play } from '../../../support/simulation/scenes.mts';

const MINUTE_S = 60;
/** Within so many seconds a run that fits into a minute is still sending. */
const BURST_S = 0.5;

/** Two a minute while campaigns are sent, each at any moment of its half minute. */
function repliesTo(campaigns: SimulatedRun[], random: () => number): SimulatedRun[] {
	const items = campaigns.reduce((sum, campaign) => sum + campaign.items, 0);
	// What fits into a minute goes out at once, also the first rounds of a loop: the rest of that minute has no slots.
	const from = campaigns[0].batchSize ? MINUTE_S : 0;
	const until = items > MINUTE_S ? items : BURST_S;
	const every = Math.min(MINUTE_S / 2, until);
	return Array.from({ length: (until - from) / every }, (_, index) => ({
		name: `reply${index}`,
		items: 1,
		category: index % 2 ? 'authentication' : 'service',
		startsAfterMs: 1000 * (from + every * (index + random())),
	}));
}

interface Scene {
	campaigns: SimulatedRun[];
	limit: Partial<SimulatedLimit>;
	/** Among which the campaigns and the replies are spread. */
	processes: number;
	seeds?: number;
}

/** @returns what became of the scene with each seed, and how many seconds each reply waited, the shortest wait first */
async function replyBehind({ campaigns, limit, processes, seeds = RANDOM_TIMES }: Scene) {
	const waits: number[] = [];
	let lost = 0;
	for (let seed = 1; seed <= seeds; seed++) {
		const random = seededRandom(seed * 1_000_003);
		const replies = repliesTo(campaigns, random);
		const runs: SimulatedRun[][] = Array.from({ length: processes }, (_, index) =>
			campaigns.slice(index, index + 1),
		);
		for (const reply of replies) runs[Math.floor(random() * processes)].push(reply);
		const { failed, firstSendOf } = await play({ limit, processes: runs, seed });
		lost += failed;
		waits.push(
			...replies.map(({ name, startsAfterMs = 0 }) => firstSendOf[name] - startsAfterMs / 1000),
		);
	}
	waits.sort((one, other) => one - other);
	const slowest = (part: number) => waits[Math.ceil(waits.length * part) - 1];
	return { lost, median: slowest(0.5), most: slowest(0.95), longest: slowest(1) };
}

/** `npm test` plays the sizes that decide. */
const SIZES =
	RANDOM_TIMES > 1 ? [59, 60, 61, 119, 120, 121, 600, 1199, 1200, 1201, 6000] : [60, 61, 121, 1201];
const CAMPAIGNS: SimulatedRun[] = [
	...SIZES.map((items) => ({ name: `${items} messages`, items })),
	{ name: '1,200 in rounds of 60', items: 1200, batchSize: 60 },
	{ name: '600 in rounds of 10', items: 600, batchSize: 10 },
	{ name: '600 in rounds of 1', items: 600, batchSize: 1 },
	{ name: '1,200 login codes', items: 1200, category: 'authentication' },
];

// docs/good-to-know.md: a reply or a login code does not wait for a campaign
it.each(CAMPAIGNS)('a reply goes out at once while one process sends $name', async (campaign) => {
	for (const headers of [true, false]) {
		const scene = { campaigns: [campaign], limit: { headers }, processes: 1 };
		const { lost, median, most } = await replyBehind(scene);
		expect(lost).toBe(0);
		expect(median).toBeLessThanOrEqual(0.5);
		expect(most).toBeLessThanOrEqual(5);
	}
});

it('a login code goes before all single messages that wait with it for the end of a full minute', async () => {
	const waiting = [10_000, 10_000, 20_000, 20_000].map((startsAfterMs, index) => ({
		name: `other${index}`,
		items: 1,
		startsAfterMs,
	}));
	const code = {
		name: 'code',
		items: 1,
		category: 'authentication',
		startsAfterMs: 15_000,
	} as const;
	const { firstSendOf } = await play({
		processes: [[{ name: 'all', items: 60 }, ...waiting, code]],
	});
	const others = waiting.map(({ name }) => firstSendOf[name]);
	expect(firstSendOf.code).toBeLessThan(Math.min(...others));
});

/** docs/scaling.md: how long a reply waits at most while one of four processes sends a campaign, or each. */
const SERVERS = [
	{ limit: { window: 'fixed', headers: true }, besideOne: 5, besideFour: 60 },
	{ limit: { window: 'fixed', headers: false }, besideOne: 90, besideFour: 300 },
	{ limit: { window: 'sliding', headers: true }, besideOne: 90, besideFour: 480 },
	{ limit: { window: 'sliding', headers: false }, besideOne: 90, besideFour: 300 },
] as const;

it.each(CAMPAIGNS.filter(({ items }) => items < 6000 && (RANDOM_TIMES > 1 || items > 60)))(
	'a reply goes out at once as a rule while one of four processes sends $name',
	async (campaign) => {
		for (const { limit, besideOne } of SERVERS) {
			const scene = { campaigns: [campaign], limit, processes: 4 };
			const { lost, median, longest } = await replyBehind(scene);
			expect(lost).toBe(0);
			expect(median).toBeLessThanOrEqual(0.5);
			expect(longest).toBeLessThanOrEqual(besideOne);
		}
	},
);

it.each(SERVERS)(
	'no reply is lost while each of four processes sends a campaign: $limit',
	async ({ limit, besideFour }) => {
		const campaigns = Array.from({ length: 4 }, (_, index) => ({
			name: `c${index}`,
			items: 300,
			startsAfterMs: index * 500,
		}));
		const scene = { campaigns, limit, processes: 4, seeds: 4 * RANDOM_TIMES };
		const { lost, median, longest } = await replyBehind(scene);
		expect(lost).toBe(0);
		expect(median).toBeLessThanOrEqual(0.5);
		expect(longest).toBeLessThanOrEqual(besideFour);
	},
);

// docs/good-to-know.md: how long a campaign takes
it.each([
	[59, 59, 1],
	[60, 60, 1],
	[61, 61, 61],
	[119, 119, 119],
	[120, 120, 120],
	[600, 600, 601],
	[600, 60, 601],
	[600, 1, 601],
	[1200, 1200, 1202],
	[6000, 6000, 6013],
])('%d messages in rounds of %d, alone, take at most %d s', async (items, batchSize, seconds) => {
	const outcome = await play({ processes: [[{ name: 'campaign', items, batchSize }]] });
	expect(outcome).toMatchObject({ sends: items, rateLimited: 0 });
	expect(outcome.lastSendAt).toBeLessThanOrEqual(seconds);
});
