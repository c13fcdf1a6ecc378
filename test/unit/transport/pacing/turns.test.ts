import { createPacer } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import type { Kind } from '../../../../nodes/BusinessMessaging/transport/pacing/pacer';
import { createTurns, Slots } from '../../../../nodes/BusinessMessaging/transport/pacing/turns';
import type { Run, Turn, Wish } from '../../../../nodes/BusinessMessaging/transport/pacing/turns';
import { createVirtualClock } from '../../../support/virtualClock.ts';

function scene() {
	const clock = createVirtualClock();
	const turns = createTurns(
		createPacer(() => 0),
		clock,
	);
	const order: string[] = [];
	/** Asks for a turn, and gives it back after so many ms. */
	async function use(run: Run, name: string, wish: Partial<Wish> = {}, forMs = 10) {
		const turn = await run.turn({ kind: 'main', limit: Infinity, ...wish });
		if (typeof turn === 'string') return turn;
		order.push(name);
		await clock.sleep(forMs);
		turn.end('answered', {});
		turn.leave();
		return 'ended';
	}
	return { clock, turns, order, use };
}

function endTurn(turn: Turn | 'tooLate' | 'closed') {
	(turn as Turn).end('answered', {});
	(turn as Turn).leave();
}

const one = { concurrency: 1, calls: 100 };

// README, Good to know: the limit is shared in turn
it('runs take turns, so that one message need not wait for hundreds', async () => {
	const { clock, turns, order, use } = scene();
	const [campaign, login] = [turns.join({ ...one, concurrency: 10 }), turns.join(one)];
	const limit = 2;
	const wishes = Array.from({ length: 6 }, async () => await use(campaign, 'campaign', { limit }));
	wishes.push(use(login, 'login', { limit }));
	await clock.run(Promise.all(wishes));
	expect(order.indexOf('login')).toBe(1);
});

it('no run has more requests under way than its concurrency', async () => {
	const { clock, turns, use } = scene();
	const run = turns.join({ ...one, concurrency: 2 });
	const all = Promise.all([1, 2, 3, 4, 5].map(async () => await use(run, 'a', {}, 1000)));
	await clock.run(all);
	expect(clock.ticks()).toBe(3000);
});

describe('a run with several accounts', () => {
	/** The same clock for as many accounts as there are names. */
	function accounts(names: string[], concurrency: number) {
		const { clock } = scene();
		const slots = new Slots(concurrency);
		let inFlight = 0;
		let most = 0;
		const runs = names.map(() =>
			createTurns(
				createPacer(() => 0),
				clock,
			).join({ concurrency, calls: 100, slots }),
		);
		const order: string[] = [];
		const once = async (index: number) => {
			const turn = (await runs[index].turn({ kind: 'main', limit: Infinity })) as Turn;
			order.push(names[index]);
			most = Math.max(most, ++inFlight);
			await clock.sleep(1000);
			inFlight--;
			endTurn(turn);
		};
		return { clock, once, order, most: () => most };
	}

	it('has no more requests in flight than its concurrency', async () => {
		const { clock, once, most } = accounts(['a', 'b', 'c'], 2);
		await clock.run(Promise.all([0, 1, 2, 0, 1, 2, 0, 1, 2].map(once)));
		expect(most()).toBe(2);
	});

	it('gives the next slot to the account that has waited longest', async () => {
		const { clock, once, order } = accounts(['a', 'b', 'c'], 1);
		await clock.run(Promise.all([0, 0, 0, 1, 1, 2].map(once)));
		expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
	});
});

it('an account is idle only when its runs are closed, also those that ask nothing', () => {
	const { turns } = scene();
	const run = turns.join(one);
	expect(turns.isIdle()).toBe(false);
	run.close();
	expect(turns.isIdle()).toBe(true);
});

// README, Good to know: look-ups come after sends
it('last look-ups come before sends, and sends before other look-ups', async () => {
	const { clock, turns, order, use } = scene();
	const run = turns.join(one);
	const kinds = ['main', 'lookUp', 'main', 'lastLookUp'] as const;
	await clock.run(Promise.all(kinds.map(async (kind) => await use(run, kind, { kind }))));
	expect(order).toEqual(['main', 'lastLookUp', 'main', 'lookUp']);
});

it.each<[string, Array<Wish['kind']>, boolean, Kind[]]>([
	['nobody sends', ['lookUp', 'lastLookUp'], false, ['lastLookUp', 'lookUp', 'spareLookUp']],
	['one sends', ['main', 'lookUp', 'lastLookUp'], false, ['lastLookUp', 'main']],
	[
		'one sends and leaves places to look-ups',
		['main', 'lookUp', 'lastLookUp'],
		true,
		['lastLookUp', 'main', 'lookUp'],
	],
])('while %s, the runs look for places in order', (_, wishes, owes, expected) => {
	const pacer = createPacer(() => 0);
	const wait = jest.spyOn(pacer, 'wait').mockReturnValue(Infinity);
	if (owes) pacer.owe();
	const turns = createTurns(pacer, createVirtualClock());
	for (const kind of wishes) {
		wait.mockClear();
		void turns.join(one).turn({ kind, limit: Infinity });
	}
	expect(wait.mock.calls.map(([{ kind }]) => kind)).toEqual(expected);
});

it('what waits too long learns it at that moment, and takes no place', async () => {
	const { clock, turns, use } = scene();
	const run = turns.join(one);
	void use(run, 'long', {}, 10_000);
	const late = use(run, 'late', { giveUpAt: 2500 });
	expect(await clock.run(late)).toBe('tooLate');
	expect(clock.ticks()).toBe(2501);
});

it('a closed run gives no turns, and those who wait learn it at once', async () => {
	const { clock, turns, use } = scene();
	const run = turns.join(one);
	void use(run, 'long', {}, 10_000);
	const waiting = use(run, 'waiting');
	run.close();
	expect(await clock.run(waiting)).toBe('closed');
	expect(await use(run, 'later')).toBe('closed');
	expect(clock.ticks()).toBe(0);
});

it('a turn that is given back unused leaves no trace in the limit', async () => {
	const { clock, turns } = scene();
	const run = turns.join(one);
	const wish: Wish = { kind: 'main', limit: 1 };
	((await clock.run(run.turn(wish))) as Turn).leave();
	endTurn(await clock.run(run.turn(wish)));
	expect(clock.ticks()).toBeLessThan(10_000);
	await clock.run(run.turn(wish));
	expect(clock.ticks()).toBeGreaterThanOrEqual(60_000);
});

it('what was refused or not made is still to be made; a look-up is none of the main requests', async () => {
	const pacer = createPacer(() => 0);
	const wait = jest.spyOn(pacer, 'wait');
	const clock = createVirtualClock();
	const run = createTurns(pacer, clock).join({ concurrency: 1, calls: 3 });
	const next = async (kind: Wish['kind'] = 'main') =>
		(await clock.run(run.turn({ kind, limit: Infinity }))) as Turn;
	const refused = await next();
	refused.end('refused', {});
	refused.leave();
	(await next()).leave();
	(await next('lookUp')).leave();
	endTurn(await next('lookUp'));
	endTurn(await next());
	endTurn(await next());
	const asked = wait.mock.calls.map(([{ left }]) => left);
	expect([asked[0], ...asked.slice(-3)]).toEqual([3, 3, 3, 2]);
});

it('the time that a run waits for the limit is told, once for all that wait', async () => {
	const { clock, turns, use } = scene();
	const run = turns.join({ ...one, concurrency: 3 });
	const wishes = [1, 2, 3].map(async () => await use(run, 'a', { limit: 1 }));
	await clock.run(Promise.all(wishes));
	expect(Math.round(run.waitedMs() / 1000)).toBe(120);
});

it.each<[string, Wish['kind'], number, number]>([
	['a look-up waits for the limit', 'lookUp', 1, 10],
	['a request waits for the end of another', 'main', 60, 10_000],
])('while %s, no time is told', async (_, kind, limit, forMs) => {
	const { clock, turns, use } = scene();
	const run = turns.join({ ...one, concurrency: 2 });
	const wishes = [1, 2].map(async () => await use(run, 'a', { kind, limit }, forMs));
	await clock.run(Promise.all(wishes));
	expect(run.waitedMs()).toBe(0);
});

it('a run that is closed has waited until then', async () => {
	const { clock, turns, use } = scene();
	const run = turns.join(one);
	void use(run, 'first', { limit: 1 });
	void use(run, 'second', { limit: 1 });
	await clock.run(clock.sleep(5000));
	run.close();
	expect(run.waitedMs()).toBe(4990);
});

it('one timer is enough: the next to be late sets it, and a later one wakes nobody', async () => {
	const { clock, turns } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	const run = turns.join(one);
	const wish: Wish = { kind: 'main', limit: Infinity };
	await run.turn(wish);
	const later = run.turn({ ...wish, giveUpAt: 2500 });
	const sooner = run.turn({ ...wish, giveUpAt: 500 });
	expect(await clock.run(Promise.all([sooner, later]))).toEqual(['tooLate', 'tooLate']);
	expect(sleep.mock.calls).toEqual([[1000], [501], [1000], [1000]]);
});

it('nobody is woken when nobody waits', async () => {
	const { clock, turns } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	endTurn(await turns.join(one).turn({ kind: 'main', limit: Infinity }));
	expect(sleep).not.toHaveBeenCalled();
});

it('ten thousand who wait cost one timer, and none when they are gone', async () => {
	const { clock, turns } = scene();
	const sleep = jest.spyOn(clock, 'sleep');
	const run = turns.join(one);
	const wish: Wish = { kind: 'lookUp', limit: 1 };
	endTurn(await run.turn(wish));
	for (let waiting = 0; waiting < 10_000; waiting++) void run.turn(wish);
	expect(sleep).toHaveBeenCalledTimes(1);
	run.close();
	await clock.run(clock.sleep(5000));
	expect(sleep).toHaveBeenCalledTimes(2);
	expect(turns.isIdle()).toBe(false);
	await clock.run(clock.sleep(60_000));
	expect(turns.isIdle()).toBe(true);
});
