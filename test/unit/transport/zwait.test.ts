import { simulateApi, type SimulatedLimit } from '../../support/simulation/api.ts';
import { seededRandom } from '../../support/simulation/random.ts';
import { simulateProcess, simulateRun, type SimulatedRun } from '../../support/simulation/run.ts';
import { createVirtualClock } from '../../support/virtualClock.ts';

async function sim(limit: Partial<SimulatedLimit>, runs: SimulatedRun[], delivered: number, lat = 150) {
	const clock = createVirtualClock();
	const random = seededRandom(11);
	const api = simulateApi(clock, { window: 'fixed', headers: true, requestsPerMinute: 60, ...limit }, () => Math.round(lat * (0.5 + random())), delivered);
	const turns = simulateProcess(clock, random);
	const started = clock.ticks();
	const results = await clock.run(Promise.all(runs.map((run) => simulateRun(clock, turns, api, run, random))));
	const out = results.flat().map((r) => ('json' in r ? r.json.delivery : r.failure) as { status: string; timedOut: boolean; waitedSeconds: number; message?: string });
	return {
		limit: `${limit.window ?? 'fixed'} ${limit.headers ?? true}`, runs: runs.map((r) => `${r.items}/${(r.waitTimeoutMs ?? 0) / 1000}`).join(' '),
		sends: api.sends.length, lastSend: Math.max(...api.sends.map(({ at }) => at)) / 1000, lookUps: api.lookUps.length, refused: api.refused.length,
		end: (clock.ticks() - started) / 1000, delivered: out.filter((d) => d?.status === 'delivered').length, timedOut: out.filter((d) => d?.timedOut).length, failed: out.filter((d) => d?.message).length,
		maxWaited: Math.max(...out.map((d) => d?.waitedSeconds ?? 0)),
		perRun: runs.length > 1 ? JSON.stringify(runs.map((r) => { const at = api.sends.filter(({ to }) => to.startsWith(`${r.name} `)).map((s) => s.at); return [Math.round(at[0] / 100) / 10, Math.round(at.at(-1)! / 100) / 10]; })) : '',
	};
}
test('wait', async () => {
	const rows = [];
	for (const window of ['fixed', 'sliding'] as const) for (const headers of [true, false]) {
		for (const [items, timeout, delivered] of [[100, 60, 3], [100, 600, 3], [30, 60, 3], [10, 60, 3], [1, 60, 3], [500, 3600, 1e9], [500, 60, 3]]) {
			rows.push(await sim({ window, headers }, [{ name: 'a', items, waitTimeoutMs: timeout * 1000 }], delivered * 1000));
		}
	}
	for (const window of ['fixed', 'sliding'] as const) for (const headers of [true, false]) {
		rows.push(await sim({ window, headers }, [{ name: 'a', items: 500 }, { name: 'login', items: 1, startsAfterMs: 80_000 }], 3000));
		rows.push(await sim({ window, headers }, [{ name: 'a', items: 240 }, { name: 'b', items: 40, requestsPerMinute: 20, startsAfterMs: 10_000 }], 3000));
		rows.push(await sim({ window, headers }, [{ name: 'a', items: 500, waitTimeoutMs: 3600_000 }, { name: 'login', items: 1, startsAfterMs: 600_000 }], 1e9));
	}
	console.table(rows);
}, 600_000);
