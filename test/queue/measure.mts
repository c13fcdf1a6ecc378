import { isAccepted, type Delivery } from '../../playground/api/deliveryAttempt.mts';
import { plan, startScene, type PlannedEvent, type Scene, type SentEvent } from './scene.mts';

/** Of each proof. */
export const EVENTS = Number(process.env.QUEUE_EVENTS ?? 20);
export const LONGEST_PROOF_MS = 3_600_000;

/** One scene for all tests of a file, which may take long. */
export function sceneOfFile(): () => Scene {
	jest.setTimeout(LONGEST_PROOF_MS);
	let scene: Scene;
	beforeAll(async () => {
		scene = await startScene();
	});
	afterAll(async () => {
		await scene?.stop();
	});
	return () => scene;
}

/** Sends new events, waits for the end of all executions, and prints how the trigger fared. */
export async function measure(
	scene: Scene,
	proof: string,
	load: (events: PlannedEvent[]) => Promise<SentEvent[]>,
) {
	const [failedBefore, storedBefore] = [await scene.countFailed(), await scene.countStored()];
	const startedAt = Date.now();
	const sent = await load(plan(EVENTS));
	await scene.drained();
	const listedAsFailed = (await scene.countFailed()) - failedBefore;
	const figures = {
		...(await figuresOf(sent, scene, startedAt)),
		/** Executions that n8n began, those of copies that are dropped among them. */
		executions: (await scene.countStored()) - storedBefore,
		/** Executions that n8n itself lists as failed or crashed. */
		listedAsFailed,
	};
	print(proof, figures);
	return figures;
}

/** Does something again and again while work is done. */
export async function during<T>(work: Promise<T>, disturb: () => Promise<void>): Promise<T> {
	let isDone = false;
	const watched = work.finally(() => (isDone = true));
	watched.catch(() => undefined);
	while (!isDone) await disturb();
	return await watched;
}

/** How the trigger fared with a load that is over. */
async function figuresOf(
	sent: SentEvent[],
	{ runs, failedOf }: Pick<Scene, 'runs' | 'failedOf'>,
	startedAt: number,
) {
	const seconds = (Date.now() - startedAt) / 1000;
	const deliveries = new Map<string, Delivery[]>();
	for (const event of sent) {
		deliveries.set(event.id, [...(deliveries.get(event.id) ?? []), ...event.deliveries]);
	}
	const ids = [...deliveries.keys()];
	const all = [...deliveries.values()].flat();
	const isAnswered = (id: string) => !!deliveries.get(id)?.some(isAccepted);
	const lost = ids.filter((id) => isAnswered(id) && !runs.has(id));
	const failed = await failedOf(lost);
	return {
		events: ids.length,
		deliveries: all.length,
		/** Answered with a 2xx, but the workflow never ran. */
		lost: lost.length,
		/** Of these, what is in no execution that n8n lists as failed or crashed. */
		nowhere: lost.filter((id) => !failed.has(id)).length,
		/** The workflow ran more than once. */
		twice: ids.filter((id) => (runs.get(id) ?? 0) > 1).length,
		/** No delivery was answered with a 2xx. */
		givenUp: ids.filter((id) => !isAnswered(id)).length,
		/** Deliveries that the sender had to repeat. */
		failed: all.filter((delivery) => !isAccepted(delivery)).length,
		slowestAnswerMs: Math.max(...all.map(answerMs)),
		seconds,
	};
}

/** Straight to the terminal: jest would wrap a console line in where it came from. */
function print(proof: string, figures: Awaited<ReturnType<typeof measure>>): void {
	const { events, deliveries, lost, nowhere, twice, givenUp, failed, slowestAnswerMs, seconds } =
		figures;
	process.stdout.write(
		`${proof}: ${events} events in ${deliveries} deliveries and ${figures.executions} executions, ${lost} lost (${nowhere} of them in no failed execution), ${twice} run twice, ` +
			`${givenUp} given up; slowest answer ${slowestAnswerMs} ms, ${failed} deliveries failed; ` +
			`${seconds.toFixed(0)} s, ${(events / seconds).toFixed(1)} events/s; ` +
			`n8n lists ${figures.listedAsFailed} executions as failed or crashed\n`,
	);
}

/** A connection that broke is no answer, and the sender repeats it. */
function answerMs({ status, tookMs, error }: Delivery) {
	return status === null && !error?.startsWith('no complete answer') ? 0 : (tookMs ?? 0);
}
