import type { Settings } from './settings.mts';

export interface Delivery {
	id: string;
	url: string;
	event: string;
	/** The JSON text as sent: the same bytes in every retry and copy. */
	body: string;
	/** 1 to 4 with three retries. */
	attempt: number;
	startedAt: number;
	tookMs: number | null;
	status: number | null;
	error?: string;
	/** The receiver's answer, at most 10 kB of it. */
	answer: string;
}

const ANSWER_LIMIT = 10_000;

export function isAccepted({ status }: Delivery): boolean {
	return status !== null && status >= 200 && status <= 299;
}

/** One POST, which the caller may cancel. What happened is written into the delivery; it never throws. */
export async function attemptDelivery(
	delivery: Delivery,
	settings: Settings,
	cancel: AbortController,
): Promise<void> {
	const { webhookDeadlineMs, webhookHeaders } = settings;
	const late = new Error(`no complete answer within ${webhookDeadlineMs} ms`);
	const deadline = setTimeout(() => cancel.abort(late), webhookDeadlineMs);
	try {
		const response = await fetch(delivery.url, {
			method: 'POST',
			headers: { ...webhookHeaders, 'content-type': 'application/json' },
			body: delivery.body,
			redirect: 'manual',
			signal: cancel.signal,
		});
		delivery.status = response.status;
		await readAnswer(response, delivery);
	} catch (error) {
		delivery.error = reasonOf(error);
	} finally {
		clearTimeout(deadline);
	}
	delivery.answer = delivery.answer.slice(0, ANSWER_LIMIT);
	delivery.tookMs = Date.now() - delivery.startedAt;
}

async function readAnswer(response: Response, delivery: Delivery): Promise<void> {
	const reader = response.body?.getReader();
	const decoder = new TextDecoder();
	while (reader) {
		const { done, value } = await reader.read();
		if (done) return;
		delivery.answer += decoder.decode(value, { stream: true });
		if (delivery.answer.length >= ANSWER_LIMIT) return await reader.cancel();
	}
}

function reasonOf(error: unknown): string {
	const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
	return cause?.code ?? cause?.message ?? message;
}
