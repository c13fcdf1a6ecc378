import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

import type { Clock } from '../../nodes/BusinessMessaging/clock';

export const { pause } = jest.requireActual<{ pause: unknown }>(
	'../../nodes/BusinessMessaging/clock',
);

let skippedMs = 0;
let sleepers: Array<{ until: number; wake: () => void }> = [];
let requestsUnderWay = 0;

subscribe('http.client.request.start', (message) => {
	requestsUnderWay++;
	(message as { request: ClientRequest }).request.once('close', () => requestsUnderWay--);
});

/**
 * Real time, but nobody waits for it: it skips to the next sleeper's moment as soon as everybody
 * sleeps and no request is under way. Stands in for clock.ts in tests of whole nodes, to which n8n hands no clock:
 * `jest.mock('…/nodes/BusinessMessaging/clock', () => jest.requireActual('…/support/fastClock.ts'))`.
 */
export const systemClock: Clock & { pass: (ms: number) => void } = {
	now: () => Date.now() + skippedMs,
	ticks: () => performance.now() + skippedMs,
	sleep: async (ms) =>
		await new Promise((wake) => {
			sleepers.push({ until: systemClock.ticks() + ms, wake });
			if (sleepers.length === 1) void wakeSleepers();
		}),
	/** So many ms later. */
	pass(ms) {
		skippedMs += ms;
	},
};

async function wakeSleepers(): Promise<void> {
	while (sleepers.length > 0) {
		for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
		const next = Math.min(...sleepers.map(({ until }) => until));
		if (requestsUnderWay === 0) skippedMs += Math.max(0, next - systemClock.ticks());
		const now = systemClock.ticks();
		const woken = sleepers.filter(({ until }) => until <= now);
		sleepers = sleepers.filter(({ until }) => until > now);
		for (const { wake } of woken) wake();
	}
}
