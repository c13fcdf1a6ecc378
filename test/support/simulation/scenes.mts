import { Pacer } from '../../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../../nodes/BusinessMessaging/transport/rateLimiter';
import { createVirtualClock } from '../virtualClock.mts';
import { simulateApi, type SimulatedLimit } from './api.mts';
import { seededRandom } from './random.mts';
import { type SimulatedRun, simulateRun } from './run.mts';

export interface Scene {
	limit?: Partial<SimulatedLimit>;
	/** One list of runs for each n8n process. */
	processes: SimulatedRun[][];
	/** Of a response, on average; each takes half as much to half as much more. */
	latencyMs?: number;
	deliveredAfterMs?: number;
	seed?: number;
}

export const SERVERS = [
	{ window: 'fixed', headers: true },
	{ window: 'sliding', headers: true },
	{ window: 'fixed', headers: false },
	{ window: 'sliding', headers: false },
] as const;

const LIMIT: SimulatedLimit = { window: 'fixed', headers: true, requestsPerMinute: 60 };

/** @returns what became of a scene; all times are seconds since its first send */
export async function play(scene: Scene) {
	const { latencyMs = 100, deliveredAfterMs, seed = 1 } = scene;
	const clock = createVirtualClock();
	const random = seededRandom(seed);
	const latency = () => Math.round(latencyMs * (0.5 + random()));
	const api = simulateApi(clock, { ...LIMIT, ...scene.limit }, latency, deliveredAfterMs);
	const runs = scene.processes.flatMap((process) => {
		const rateLimiter = new RateLimiter(new Pacer(random), clock);
		return process.map(async (run) => await simulateRun(clock, rateLimiter, api, run, random));
	});
	const results = (await clock.run(Promise.all(runs))).flat();
	const deliveries = results.flatMap((result) =>
		'json' in result && result.json.delivery
			? [result.json.delivery as { status: string; timedOut: boolean; waitedSeconds: number }]
			: [],
	);
	const from = api.sends[0]?.at ?? 0;
	const seconds = (ticks: number) => (ticks - from) / 1000;
	const names = scene.processes.flat().map(({ name }) => name);
	const firstOf = (name: string) => api.sends.find(({ to }) => to.startsWith(`${name} `))?.at;
	return {
		sends: api.sends.length,
		twice: api.sends.length - new Set(api.sends.map(({ to }) => to)).size,
		rateLimited: api.rateLimited.length,
		failed: results.filter((result) => 'failure' in result).length,
		delivered: deliveries.filter(({ status }) => status === 'delivered').length,
		timedOut: deliveries.filter(({ timedOut }) => timedOut).length,
		lastSendAt: seconds(Math.max(...api.sends.map(({ at }) => at))),
		endsAt: seconds(clock.ticks()),
		/** That a message was waited for. */
		longestWait: Math.max(0, ...deliveries.map(({ waitedSeconds }) => waitedSeconds)),
		/** Of each run. */
		firstSendOf: Object.fromEntries(names.map((name) => [name, seconds(firstOf(name) ?? NaN)])),
	};
}

/** So many processes that share a number of sends, and start within two seconds. */
export function processesWith(count: number, sends: number): SimulatedRun[][] {
	return Array.from({ length: count }, (_, index) => [
		{ name: `p${index}`, items: sends / count, startsAfterMs: (index * 2000) / count },
	]);
}
