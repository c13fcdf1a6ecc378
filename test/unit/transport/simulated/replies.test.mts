import { RANDOM_TIMES } from '../../../support/sample.mts';
import type { SimulatedLimit } from '../../../support/simulation/api.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import type { SimulatedRun } from '../../../support/simulation/run.mts';
import { play } from '../../../support/simulation/scenes.mts';

const MINUTE_S = 60;

/** Two a minute while campaigns are sent, each at any moment of its half minute. */
function repliesTo(campaigns: SimulatedRun[], random: () => number): SimulatedRun[] {
	const items = campaigns.reduce((sum, campaign) => sum + campaign.items, 0);
	const every = MINUTE_S / 2;
	return Array.from({ length: Math.max(items, MINUTE_S) / every }, (_, index) => ({
		name: `reply${index}`,
		items: 1,
		category: index % 2 ? 'authentication' : 'service',
		startsAfterMs: 1000 * every * (index + random()),
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

const CAMPAIGNS: SimulatedRun[] = [
	...[60, 61, 121, ...(RANDOM_TIMES > 1 ? [1201, 6000] : [])].map((items) => ({
		name: `${items} messages`,
		items,
	})),
	{ name: '300 in rounds of 60', items: 300, batchSize: 60 },
	{ name: '300 in rounds of 10', items: 300, batchSize: 10 },
	{ name: '300 in rounds of 1', items: 300, batchSize: 1 },
	{ name: '300 login codes', items: 300, category: 'authentication' },
];

/** bench/README.md: how long a reply waits, as a rule and at most, while one of four processes sends a campaign, or each. */
const SERVERS = [
	{ limit: { window: 'fixed', headers: true }, besideOne: 5, besideFour: [0.5, 60] },
	{ limit: { window: 'sliding', headers: true }, besideOne: 5, besideFour: [30, 60] },
	{ limit: { window: 'fixed', headers: false }, besideOne: 180, besideFour: [60, 90] },
	{ limit: { window: 'sliding', headers: false }, besideOne: 180, besideFour: [60, 90] },
] as const;

const BESIDE = [1, 4].flatMap((processes) =>
	CAMPAIGNS.map((campaign) => ({ processes, campaign, name: campaign.name })),
);

// docs/good-to-know.md: a reply or a login code does not wait for a campaign
it.each(BESIDE.filter(({ processes, campaign }) => processes === 1 || campaign.items < 6000))(
	'a reply goes out at once while one of $processes processes sends $name',
	async ({ processes, campaign }) => {
		for (const { limit, besideOne } of SERVERS) {
			const replies = await replyBehind({ campaigns: [campaign], limit, processes });
			expect(replies.lost).toBe(0);
			// A campaign of hours takes each slot as soon as it is free.
			expect(replies.median).toBeLessThanOrEqual(campaign.items > 5000 ? 1.5 : 0.5);
			if (processes === 1) expect(replies.most).toBeLessThanOrEqual(5);
			else expect(replies.longest).toBeLessThanOrEqual(besideOne);
		}
	},
);

it.each(SERVERS)(
	'no reply is lost while each of four processes sends a campaign: $limit',
	async ({ limit, besideFour }) => {
		const campaigns = Array.from({ length: 4 }, (_, index) => ({
			name: `c${index}`,
			items: 150,
			startsAfterMs: index * 500,
		}));
		const scene = { campaigns, limit, processes: 4, seeds: 2 * RANDOM_TIMES };
		const { lost, median, longest } = await replyBehind(scene);
		expect(lost).toBe(0);
		expect(median).toBeLessThanOrEqual(besideFour[0]);
		expect(longest).toBeLessThanOrEqual(besideFour[1]);
	},
);
