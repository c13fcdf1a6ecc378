import { n8nUnderTest } from '../../support/n8nUnderTest.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { OPERATIONS } from '../../unit/structure/publicInterface.mts';
import { allPairs, pairsIn, pairsOf } from './allPairs.mts';
import { FACTORS, OPTIONS, type Chosen } from './factors.mts';
import { play } from './play.mts';

const SEED = Number(process.env.PAIRS_SEED ?? 1);
const RUNS = Number(process.env.PAIRS_RUNS ?? 20);
/** Only this one. */
const RUN = process.env.PAIRS_RUN;
const AT_ONCE = 6;

/** As many as are asked for, each set of all pairs with a seed of its own. */
function choices(): Chosen[] {
	const all: Chosen[] = [];
	for (let set = 0; all.length < RUNS; set++) {
		const combinations = allPairs(FACTORS, seededRandom(SEED * 1000 + set));
		all.push(
			...combinations.map(
				(levels) =>
					Object.fromEntries(
						Object.entries(FACTORS).map(([name, values]) => [name, values[levels[name]]]),
					) as Chosen,
			),
		);
	}
	return all.slice(0, RUNS);
}

test('each option has its values, and every two values occur together', () => {
	const { options } = OPERATIONS.sendTemplate.options;
	expect(Object.keys(OPTIONS).sort()).toEqual(Object.keys(options ?? {}).sort());
	const combinations = allPairs(FACTORS, seededRandom(SEED));
	expect(new Set(combinations.flatMap((each) => [...pairsIn(each)]))).toEqual(pairsOf(FACTORS));
});

// README, Top: no duplicates, no surprise costs
test(
	'whatever options meet: nothing twice, no limit passed, no outcome a lie, one output for each item',
	async () => {
		const n8n = await n8nUnderTest();
		const queue = [...choices().entries()].filter(
			([run]) => RUN === undefined || Number(RUN) === run,
		);
		const wrong: object[] = [];
		const todo = queue.values();
		const work = async () => {
			for (const [run, chosen] of todo) {
				const name = `s${SEED}r${run}`;
				const { broken, rows } = await play(n8n, chosen, name, seededRandom(SEED * 1000 + run));
				const again = `PAIRS_SEED=${SEED} PAIRS_RUNS=${run + 1} PAIRS_RUN=${run} npm run e2e:pairs`;
				const options = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
				if (broken.length > 0) wrong.push({ broken, again, options, rows });
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		expect(wrong).toEqual([]);
	},
	60_000 + RUNS * 10_000,
);
