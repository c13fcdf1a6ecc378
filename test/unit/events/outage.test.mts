import { claimingProcess } from '../../support/claimingProcess.mts';
import { ProcessedData } from '../../support/processedData.mts';
import { seededRandom } from '../../support/simulation/random.mts';
import { createVirtualClock } from '../../support/virtualClock.mts';

const EVENTS = 32;
const PROCESSES = 3;
/** A statement takes 5 to 15 ms, and a claim about five of them, so the outage begins within most of the claims. */
const STATEMENT_MS = 15;
const OUTAGE_BEGINS_MS = 60;

/** Each process gets a copy of each event at about the same moment, just before the database goes away. */
async function play(outageMs: number, seed: number) {
	const random = seededRandom(seed);
	// The pauses of a lock, too, so that a failure can be repeated.
	jest.spyOn(Math, 'random').mockImplementation(random);
	const clock = createVirtualClock();
	const table = new ProcessedData();
	const isDown = () =>
		clock.ticks() >= OUTAGE_BEGINS_MS && clock.ticks() < OUTAGE_BEGINS_MS + outageMs;
	const pass = async () => {
		await clock.sleep(5 + random() * (STATEMENT_MS - 5));
		if (isDown()) throw new Error('Connection terminated');
	};
	const processes = Array.from({ length: PROCESSES }, () =>
		claimingProcess(new ProcessedData(pass, pass, table), clock),
	);
	// Each finds out before the outage what its n8n gives.
	await Promise.all(processes.map(async ({ claim }) => await clock.run(claim('first'))));
	clock.pass(-clock.ticks());
	const executions = Array.from({ length: EVENTS }, async (_, event) => {
		const copies = processes.map(async ({ claim }) => {
			await clock.sleep(random() * OUTAGE_BEGINS_MS);
			return await claim(`event ${event}`);
		});
		return (await Promise.all(copies)).filter(Boolean).length;
	});
	const runs = await clock.run(Promise.all(executions));
	return {
		twice: runs.filter((count) => count > 1).length,
		lost: runs.filter((count) => count === 0).length,
		log: processes.flatMap(({ log }) => log),
	};
}

// docs/scaling.md: while the database is away
it.each([0.2, 5, 16, 40])(
	'of three copies of an event one runs when the database is away for %d s meanwhile',
	async (seconds) => {
		for (const seed of [1, 2]) {
			const figures = await play(seconds * 1000, seed);
			expect(figures).toEqual({ twice: 0, lost: 0, log: [] });
		}
	},
);
