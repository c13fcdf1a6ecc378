import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import type { Clock } from '../../nodes/BusinessMessaging/clock';

export const { pause, HOUR_MS, UNITS_MS } = jest.requireActual<
	Record<'pause' | 'HOUR_MS' | 'UNITS_MS', unknown>
>('../../nodes/BusinessMessaging/clock');

const startedAt = Date.now();
let passedMs = 0;
let sleepers: Array<{ until: number; wake: () => void }> = [];
let requestsUnderWay = 0;
/** Each time that the event loop has gone around. */
const REQUEST_MS = 20;

subscribe('http.client.request.start', (message) => {
	requestsUnderWay++;
	(message as { request: ClientRequest }).request.once('close', () => requestsUnderWay--);
});

/**
 * Stands in for clock.ts in tests of whole nodes, to which n8n hands no clock. As the virtual clock it
 * stands still but for sleepers, to the next of whom it jumps. While a request is under way it goes on with the turns of
 * the event loop, so that a busy machine is not taken for an API that does not answer.
 */
export const systemClock = {
	now: () => startedAt + passedMs,
	ticks: () => passedMs,
	sleep: async (ms) =>
		await new Promise((wake) => {
			sleepers.push({ until: passedMs + ms, wake });
			if (sleepers.length === 1) void wakeSleepers();
		}),
	/** So many ms later. */
	pass(ms: number): void {
		passedMs += ms;
	},
} satisfies Clock & { pass: unknown };

async function wakeSleepers(): Promise<void> {
	while (sleepers.length > 0) {
		for (let turn = 0; turn < 3; turn++) {
			const wait = requestsUnderWay > 0 ? setTimeout : setImmediate;
			await new Promise<void>((resolve) => wait(resolve));
		}
		const next = Math.min(...sleepers.map(({ until }) => until));
		passedMs = requestsUnderWay > 0 ? passedMs + REQUEST_MS : Math.max(passedMs, next);
		const woken = sleepers.filter(({ until }) => until <= passedMs);
		sleepers = sleepers.filter(({ until }) => until > passedMs);
		for (const { wake } of woken) wake();
	}
}
