import { turnsOf } from '../../../nodes/BusinessMessaging/transport/accounts';
import type { Turn } from '../../../nodes/BusinessMessaging/transport/pacing/turns';
import { createVirtualClock } from '../../support/virtualClock.ts';

const ACCOUNT = { baseUrl: 'https://api.example.com', apiKey: 'key-1' };

it('the turns are one for the same base URL and key, and different otherwise', () => {
	const clock = createVirtualClock();
	const turns = turnsOf(ACCOUNT, clock);
	expect(turnsOf({ ...ACCOUNT }, clock)).toBe(turns);
	expect(turnsOf({ ...ACCOUNT, apiKey: 'key-2' }, clock)).not.toBe(turns);
});

it('the turns of an account are kept while a request counts, and forgotten when another account comes later', async () => {
	const clock = createVirtualClock();
	const account = { ...ACCOUNT, apiKey: 'key-3' };
	const turns = turnsOf(account, clock);
	const run = turns.join({ concurrency: 1, calls: 1 });
	const turn = (await run.turn({ kind: 'main', limit: 60 })) as Turn;
	turn.end('answered', {});
	turn.leave();
	run.close();
	turnsOf({ ...ACCOUNT, apiKey: 'key-4' }, clock);
	expect(turnsOf(account, clock)).toBe(turns);
	await clock.run(clock.sleep(60_000));
	turnsOf({ ...ACCOUNT, apiKey: 'key-5' }, clock);
	expect(turnsOf(account, clock)).not.toBe(turns);
});
