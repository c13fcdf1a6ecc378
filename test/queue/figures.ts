import { isAccepted, type Delivery } from '../../playground/api/deliveryAttempt.ts';
import type { Scene, SentEvent } from './scene.ts';

export interface Figures {
	events: number;
	deliveries: number;
	/** Answered with a 2xx, but the workflow never ran. */
	lost: number;
	/** Of these, what is in no execution that n8n lists as failed or crashed. */
	nowhere: number;
	/** The workflow ran more than once. */
	twice: number;
	/** No delivery was answered with a 2xx. */
	givenUp: number;
	/** Deliveries that the sender had to repeat. */
	failed: number;
	slowestAnswerMs: number;
	seconds: number;
	/** Executions that n8n itself lists as failed or crashed. */
	listedAsFailed: number;
}

/** How the trigger fared with a load that is over. */
export async function figuresOf(
	sent: SentEvent[],
	{ runs, failedOf }: Pick<Scene, 'runs' | 'failedOf'>,
	startedAt: number,
): Promise<Omit<Figures, 'listedAsFailed'>> {
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
		lost: lost.length,
		nowhere: lost.filter((id) => !failed.has(id)).length,
		twice: ids.filter((id) => (runs.get(id) ?? 0) > 1).length,
		givenUp: ids.filter((id) => !isAnswered(id)).length,
		failed: all.filter((delivery) => !isAccepted(delivery)).length,
		slowestAnswerMs: Math.max(...all.map(answerMs)),
		seconds,
	};
}

/** Straight to the terminal: jest would wrap a console line in where it came from. */
export function print(proof: string, figures: Figures): void {
	const { events, deliveries, lost, nowhere, twice, givenUp, failed, slowestAnswerMs, seconds } =
		figures;
	process.stdout.write(
		`${proof}: ${events} events in ${deliveries} deliveries, ${lost} lost (${nowhere} of them in no failed execution), ${twice} run twice, ` +
			`${givenUp} given up; slowest answer ${slowestAnswerMs} ms, ${failed} deliveries failed; ` +
			`${seconds.toFixed(0)} s, ${(events / seconds).toFixed(1)} events/s; ` +
			`n8n lists ${figures.listedAsFailed} executions as failed or crashed\n`,
	);
}

/** A connection that broke is no answer, and the sender repeats it. */
function answerMs({ status, tookMs, error }: Delivery) {
	return status === null && !error?.startsWith('no complete answer') ? 0 : (tookMs ?? 0);
}
