import { isAccepted, type Delivery } from '../../playground/api/deliveryAttempt.ts';
import type { SentEvent } from './scene.ts';

export interface Figures {
	events: number;
	deliveries: number;
	/** Answered with a 2xx, but the workflow never ran. */
	lost: number;
	/** The workflow ran more than once. */
	twice: number;
	/** Deliveries that the sender had to repeat. */
	failed: number;
	slowestAnswerMs: number;
	seconds: number;
}

/** How a load fared. @param runs of the workflow, by event */
export function figuresOf(
	sent: SentEvent[],
	runs: Map<string, number>,
	startedAt: number,
): Figures {
	const deliveries = sent.flatMap((event) => event.deliveries);
	const answered = new Set(sent.filter(isAnswered).map(({ id }) => id));
	const ids = new Set(sent.map(({ id }) => id));
	return {
		events: ids.size,
		deliveries: deliveries.length,
		lost: [...answered].filter((id) => !runs.has(id)).length,
		twice: [...ids].filter((id) => (runs.get(id) ?? 0) > 1).length,
		failed: deliveries.filter((delivery) => !isAccepted(delivery)).length,
		slowestAnswerMs: Math.max(...deliveries.map(answerMs)),
		seconds: (Date.now() - startedAt) / 1000,
	};
}

/** Straight to the terminal: jest would wrap a console line in where it came from. */
export function print(proof: string, figures: Figures): void {
	const { events, deliveries, lost, twice, failed, slowestAnswerMs, seconds } = figures;
	process.stdout.write(
		`${proof}: ${events} events in ${deliveries} deliveries, ${lost} lost, ${twice} run twice; ` +
			`slowest answer ${slowestAnswerMs} ms, ${failed} deliveries failed; ` +
			`${seconds.toFixed(0)} s, ${(events / seconds).toFixed(1)} events/s\n`,
	);
}

function isAnswered({ deliveries }: SentEvent) {
	return deliveries.some(isAccepted);
}

/** A connection that broke is no answer, and the sender repeats it. */
function answerMs({ status, tookMs, error }: Delivery) {
	return status === null && !error?.startsWith('no complete answer') ? 0 : (tookMs ?? 0);
}
