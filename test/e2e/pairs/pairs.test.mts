import { createHash } from 'node:crypto';
import { n8nUnderTest } from '../../support/n8nUnderTest.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { OPERATIONS } from '../../unit/structure/publicInterface.mts';
import { FACTORS, OPTIONS, type Chosen } from './factors.mts';
import { play } from './play.mts';

const { PAIRS_SEED = '1', PAIRS_RUNS = '12', PAIRS_RUN } = process.env;
const AT_ONCE = 8;

const randomOf = (part: string) => {
	const digest = createHash('sha256').update(`${PAIRS_SEED} ${part}`).digest();
	return seededRandom(digest.readUInt32BE());
};

/** One value of each factor: in 200 runs nearly every two of them meet. */
function chosenFor(random: () => number): Chosen {
	const chosen = Object.entries(FACTORS).map(([name, all]) => [
		name,
		all[Math.floor(random() * all.length)],
	]);
	return Object.fromEntries(chosen) as Chosen;
}

test('each option has its values', () => {
	const { options, expertOptions } = OPERATIONS.sendTemplate;
	const all = Object.keys({ ...options.options, ...expertOptions.options });
	expect(Object.keys(OPTIONS).sort()).toEqual(all.sort());
});

// README, Top: no duplicates, no surprise costs
test(
	'whatever options meet: nothing twice, no limit passed, no outcome a lie, one output for each item',
	async () => {
		const n8n = await n8nUnderTest();
		const broken: object[] = [];
		const runs = Array.from({ length: Number(PAIRS_RUNS) }, (_, run) => run);
		const todo = (PAIRS_RUN === undefined ? runs : [Number(PAIRS_RUN)]).values();
		const work = async () => {
			for (const run of todo) {
				const random = randomOf(`run ${run}`);
				const chosen = chosenFor(random);
				const promises = await play(n8n, chosen, `run${run}`, random);
				const again = `PAIRS_SEED=${PAIRS_SEED} PAIRS_RUN=${run} npm run e2e:pairs`;
				if (promises.length > 0) broken.push({ again, chosen, promises });
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		expect(broken).toEqual([]);
	},
	60_000 + Number(PAIRS_RUNS) * 10_000,
);
