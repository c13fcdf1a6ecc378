import { setTimeout as sleep } from 'node:timers/promises';
import { between, type Conditions, copiesApart, faultyScene, threeAtOnce } from './faultyScene.mts';
import { during } from './measure.mts';

/** Each packet, in each direction. */
const SLOW_MS: [number, number] = [20, 200];
const BREAKS_AFTER_MS = [10_000, 20_000] as const;
/** While the database is slow: more of them than it can take only make their senders give up. */
const EVENTS_AT_A_TIME = Number(process.env.QUEUE_EVENTS_AT_A_TIME ?? 5);
/** For how long PostgreSQL is away, in each of its restarts. */
const OUTAGES = (process.env.QUEUE_OUTAGE_SECONDS ?? '16').split(',').map(Number);
/** When the database is back, and its executions were lost. */
const COPY_LATER_MS = 30_000;
const MOST_RESTARTS = 5;

const { scene, measureUnder, underLoad } = faultyScene();

/** So slow that n8n may still be storing an event when its sender has lost patience, and then fail to. */
const badDatabase: Conditions = async (sending) => {
	const { link } = scene().cluster;
	link.delayMs = SLOW_MS;
	try {
		return await during(sending, async () => {
			await sleep(between(...BREAKS_AFTER_MS));
			await link.cut();
		});
	} finally {
		link.delayMs = [0, 0];
	}
};

const postgresRestarts = underLoad(async () => await scene().cluster.postgres.restart());
const postgresIsAway = (seconds: number) =>
	underLoad(async () => await scene().cluster.postgres.restart(async () => sleep(seconds * 1000)));

// docs/scaling.md: what a worker has accepted is lost with the database's connection, unless it comes again
it('when PostgreSQL restarts, a copy that comes later runs in place of an execution that n8n lost', async () => {
	const proof = 'PostgreSQL restarted, a copy later';
	const later = () => ({ copies: 2, overlapping: true, pauseMs: COPY_LATER_MS });
	let failed = 0;
	// A quick machine may have run all events before the restart, and then nothing is shown.
	for (let tries = 0; failed === 0 && tries < MOST_RESTARTS; tries++) {
		const figures = await measureUnder(postgresRestarts, proof, later, {});
		expect(figures).toMatchObject({ lost: 0, twice: 0 });
		failed = figures.listedAsFailed;
	}
	expect(failed).toBeGreaterThan(0);
});

// docs/scaling.md: restarts of PostgreSQL
it.each(OUTAGES)(
	'when PostgreSQL is away for %d s, of three deliveries at once at most one runs',
	async (seconds) => {
		const proof = `PostgreSQL away for ${seconds} s, three at once`;
		const figures = await measureUnder(postgresIsAway(seconds), proof, threeAtOnce);
		expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	},
);

// docs/scaling.md: faults
// Last, because some processes do not find back to their database, and those that are restarted list what is queued as
// crashed. When n8n's own look at the credentials of a workflow fails, it lists an execution as failed and answers 200
// all the same.
it('while the database is slow for webhook processes and breaks connections, only what runs, or what n8n lists as failed, is acknowledged', async () => {
	const pace = { eventsAtATime: EVENTS_AT_A_TIME };
	const figures = await measureUnder(badDatabase, 'Bad database', copiesApart, pace);
	expect(figures).toMatchObject({ nowhere: 0, twice: 0 });
	// Otherwise nothing would be shown.
	expect(figures.givenUp).toBeLessThan(figures.events);
});
