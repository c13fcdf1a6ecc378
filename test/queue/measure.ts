import { figuresOf, print, type Figures } from './figures.ts';
import { plan, startScene, type PlannedEvent, type Scene, type SentEvent } from './scene.ts';

/** Of each proof. */
export const EVENTS = Number(process.env.QUEUE_EVENTS ?? 30);
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
): Promise<Figures> {
	const failedBefore = await scene.countFailed();
	const startedAt = Date.now();
	const sent = await load(plan(EVENTS));
	await scene.drained();
	const listedAsFailed = (await scene.countFailed()) - failedBefore;
	const figures = { ...(await figuresOf(sent, scene, startedAt)), listedAsFailed };
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
