import { openTurns } from '../../../nodes/BusinessMessaging/transport/accounts';
import type { Turn } from '../../../nodes/BusinessMessaging/transport/pacing/turns';
import { createVirtualClock } from '../../support/virtualClock.ts';

const ACCOUNT = { baseUrl: 'https://api.example.com', apiKey: 'key-1' };

it('the turns are one for the same base URL and key, and different otherwise', () => {
	const clock = createVirtualClock();
	const turns = openTurns(ACCOUNT, clock);
	expect(openTurns({ ...ACCOUNT }, clock)).toBe(turns);
	expect(openTurns({ ...ACCOUNT, apiKey: 'key-2' }, clock)).not.toBe(turns);
});

it('the turns of an account are kept while a request counts, and forgotten when another account comes later', async () => {
	const clock = createVirtualClock();
	const account = { ...ACCOUNT, apiKey: 'key-3' };
	const turns = openTurns(account, clock);
	const run = turns.join({ concurrency: 1, calls: 1 });
	const turn = (await run.turn({ kind: 'main', limit: 60 })) as Turn;
	turn.end('answered', {});
	turn.leave();
	run.close();
	openTurns({ ...ACCOUNT, apiKey: 'key-4' }, clock);
	expect(openTurns(account, clock)).toBe(turns);
	await clock.run(clock.sleep(60_000));
	openTurns({ ...ACCOUNT, apiKey: 'key-5' }, clock);
	expect(openTurns(account, clock)).not.toBe(turns);
});
