import { randomUUID } from 'node:crypto';
import { attemptDelivery, isAccepted, type Delivery } from './deliveryAttempt.mts';
import type { Settings } from './settings.mts';
import { createSlots } from './slots.mts';
import type { Timers } from './timers.mts';

export interface EmitOptions {
	/** How often the event is delivered; once unless given. */
	copies?: number;
	/** All copies at once instead of one after the other. */
	overlapping?: boolean;
	/** From the end of one copy to the start of the next; 0 unless given. */
	pauseMs?: number;
}

export interface Emitted {
	event: string;
	timestamp: string;
	data: object;
	/** Every attempt made, in the order of their start. */
	deliveries: Delivery[];
	/** Whether each URL accepted each copy in the end. */
	accepted: boolean;
}

const GIVEN_UP = new Error('the local API is closing, or starts over');

/** Exponential backoff: the first delay, doubled with each further retry. */
export function retryDelayMs(retry: number, firstDelayMs: number): number {
	return firstDelayMs * 2 ** (retry - 1);
}

/** Delivers events by the rules of section 6.4 of the API document. */
export function createWebhooks(settings: Settings, timers: Timers) {
	const deliveries: Delivery[] = [];
	const underWay = new Set<AbortController>();
	/** Aborted, it ends all deliveries that began with it. */
	let round = new AbortController();
	const inSlot = createSlots(() => settings.webhookConcurrency);

	async function deliver(url: string, emitted: Emitted, body: string): Promise<boolean> {
		const { signal } = round;
		for (let attempt = 1; !signal.aborted; attempt += 1) {
			const delivery = await inSlot(async () =>
				signal.aborted ? undefined : await post(url, emitted, body, attempt),
			);
			if (!delivery) return false;
			if (isAccepted(delivery)) return true;
			if (attempt > settings.webhookRetries) return false;
			await timers.wait(retryDelayMs(attempt, settings.webhookBackoffMs));
		}
		return false;
	}

	async function post(url: string, emitted: Emitted, body: string, attempt: number) {
		const delivery: Delivery = {
			id: `dlv_${randomUUID()}`,
			url,
			event: emitted.event,
			body,
			attempt,
			startedAt: Date.now(),
			tookMs: null,
			status: null,
			answer: '',
		};
		emitted.deliveries.push(delivery);
		if (settings.recordCalls) deliveries.push(delivery);
		// One for each: a signal shared by all deliveries would keep something of each of them.
		const cancel = new AbortController();
		underWay.add(cancel);
		await attemptDelivery(delivery, settings, cancel);
		underWay.delete(cancel);
		return delivery;
	}

	async function deliverCopies(url: string, emitted: Emitted, body: string, options: EmitOptions) {
		const { copies = 1 } = options;
		const results: Array<boolean | Promise<boolean>> = [];
		for (let copy = 1; copy <= copies; copy += 1) {
			if (copy > 1 && options.pauseMs) await timers.wait(options.pauseMs);
			const result = deliver(url, emitted, body);
			results.push(options.overlapping ? result : await result);
		}
		return await Promise.all(results);
	}

	function stop(): void {
		round.abort();
		for (const cancel of underWay) cancel.abort(GIVEN_UP);
	}

	const webhooks = {
		/** The webhook URLs of the dashboard. */
		urls: [] as string[],
		deliveries,
		/** Resolves when every copy has been accepted or given up. */
		async emit(event: string, data: object, options: EmitOptions = {}): Promise<Emitted> {
			const timestamp = new Date().toISOString();
			const body = JSON.stringify({ event, timestamp, data });
			const emitted: Emitted = { event, timestamp, data, deliveries: [], accepted: false };
			const results = await Promise.all(
				webhooks.urls.map(async (url) => await deliverCopies(url, emitted, body, options)),
			);
			emitted.accepted = results.length > 0 && results.flat().every(Boolean);
			return emitted;
		},
		/** The same event with the same bytes once more, with retries. */
		async redeliver({ url, body }: Delivery): Promise<Emitted> {
			const event = JSON.parse(body) as Pick<Emitted, 'event' | 'timestamp' | 'data'>;
			const emitted: Emitted = { ...event, deliveries: [], accepted: false };
			emitted.accepted = await deliver(url, emitted, body);
			return emitted;
		},
		clear(): void {
			stop();
			round = new AbortController();
			deliveries.length = 0;
		},
		stop,
	};
	return webhooks;
}

export type Webhooks = ReturnType<typeof createWebhooks>;
