import { createHash } from 'node:crypto';
import { n8nUnderTest } from '../../support/n8nUnderTest.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { OPERATIONS } from '../../unit/structure/publicInterface.mts';
import { allPairs, pairsAmong, pairsIn } from './allPairs.mts';
import { FACTORS, OPTIONS, type Chosen } from './factors.mts';
import { play } from './play.mts';

const { PAIRS_SEED = '1', PAIRS_RUNS = '20', PAIRS_RUN } = process.env;
const AT_ONCE = 8;

const sizes = Object.values(FACTORS).map(({ length }) => length);
const randomOf = (part: string) => {
	const digest = createHash('sha256').update(`${PAIRS_SEED} ${part}`).digest();
	return seededRandom(digest.readUInt32BE());
};

/** Sets of all pairs, one after the other, up to so many runs. */
function* choices(): Iterable<[run: number, chosen: Chosen]> {
	for (let set = 0, run = 0; ; set++) {
		for (const levels of allPairs(sizes, randomOf(`set ${set}`))) {
			if (run >= Number(PAIRS_RUNS)) return;
			const chosen = Object.entries(FACTORS).map(([name, all], at) => [name, all[levels[at]]]);
			yield [run++, Object.fromEntries(chosen) as Chosen];
		}
	}
}

test('each option has its values, and every two values of every two options occur together', () => {
	const { options, expertOptions } = OPERATIONS.sendTemplate;
	const all = Object.keys({ ...options.options, ...expertOptions.options });
	expect(Object.keys(OPTIONS).sort()).toEqual(all.sort());
	const found = new Set(allPairs(sizes, randomOf('set 0')).flatMap(pairsIn));
	expect([...found].sort()).toEqual(pairsAmong(sizes).sort());
});

// README, Top: no duplicates, no surprise costs
test(
	'whatever options meet: nothing twice, no limit passed, no outcome a lie, one output for each item',
	async () => {
		const n8n = await n8nUnderTest();
		const broken: object[] = [];
		const todo = choices();
		const work = async () => {
			for (const [run, chosen] of todo) {
				if (PAIRS_RUN !== undefined && Number(PAIRS_RUN) !== run) continue;
				const promises = await play(n8n, chosen, `run${run}`, randomOf(`run ${run}`));
				const again = `PAIRS_SEED=${PAIRS_SEED} PAIRS_RUNS=${run + 1} PAIRS_RUN=${run} npm run e2e:pairs`;
				if (promises.length > 0) broken.push({ again, chosen, promises });
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		expect(broken).toEqual([]);
	},
	60_000 + Number(PAIRS_RUNS) * 10_000,
);
