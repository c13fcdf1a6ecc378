import { figuresOf, print, type Figures } from './figures.ts';
import {
	plan,
	startScene,
	type PlannedEvent,
	type Receiver,
	type Scene,
	type SentEvent,
} from './scene.ts';

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

/** Sends new events, waits for the end of all executions, and prints how each receiver fared. */
export async function measure(
	scene: Scene,
	proof: string,
	receivers: Receiver[],
	load: (events: PlannedEvent[]) => Promise<SentEvent[]>,
): Promise<Figures[]> {
	const before = await Promise.all(receivers.map(failedExecutions));
	const startedAt = Date.now();
	const sent = await load(plan(EVENTS));
	await scene.drained();
	const all: Figures[] = [];
	for (const [index, receiver] of receivers.entries()) {
		const listedAsFailed = (await failedExecutions(receiver)) - before[index];
		const figures = { ...(await figuresOf(sent, receiver, startedAt)), listedAsFailed };
		print(proof, receiver, figures);
		all.push(figures);
	}
	return all;
}

/** Those that n8n lists itself, since its start. */
async function failedExecutions({ countOf }: Receiver) {
	return await countOf('error', 'crashed');
}

/** Does something again and again while work is done. */
export async function during<T>(work: Promise<T>, disturb: () => Promise<void>): Promise<T> {
	let isDone = false;
	const watched = work.finally(() => (isDone = true));
	watched.catch(() => undefined);
	while (!isDone) await disturb();
	return await watched;
}
