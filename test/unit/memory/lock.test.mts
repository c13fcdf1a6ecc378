import { Lock } from '../../../nodes/BusinessMessaging/memory/lock';
import { databaseScene } from '../../support/simulation/database.mts';

const EPOCH_MS = 30_000;
const LEASE_MS = 10_000;

/** Rows whose statements take no time, so many ms after epoch 1000 has begun. */
async function scene(sinceStartMs: number) {
	const { clock, entries, connect } = databaseScene(() => 0, 1000 * EPOCH_MS + sinceStartMs);
	const rows = await connect().rows();
	const triedAt: number[] = [];
	const table = {
		...rows.once,
		async create(name: string, owner: string) {
			triedAt.push(clock.ticks());
			return await rows.once.create(name, owner);
		},
	};
	const lock = async () => {
		const held = new Lock(table, 'events', clock);
		await clock.run(held.acquire());
		await clock.run(held.release());
	};
	const hold = async (epoch: number) => await rows.create(`lock:${epoch}:events`, 'other');
	return { clock, names: () => Object.keys(entries()), table, triedAt, lock, hold };
}

it.each([
	['of the epoch before, while its lease lasts', LEASE_MS - 1, 999, 1],
	['of the epoch before, after its lease', LEASE_MS, 999, 0],
	['of this epoch', 15_000, 1000, 15_000 + LEASE_MS],
	['of the next epoch, before a clock could be that far ahead', 19_999, 1001, 0],
	['of the next epoch, which another clock may have begun', 20_000, 1001, 10_000 + 40_000],
])('a lock %s', async (_, sinceStartMs, epoch, heldMs) => {
	const { names, triedAt, lock, hold } = await scene(sinceStartMs);
	await hold(epoch);
	await lock();
	expect(triedAt.at(-1)).toBeGreaterThanOrEqual(heldMs);
	expect(triedAt.at(-1)).toBeLessThan(heldMs + 2 * 3000);
	expect(triedAt.length === 1).toBe(heldMs === 0);
	expect(names()).toHaveLength(1);
});

it('stays until it is released, in the next epoch under its name if it is acquired once more', async () => {
	const { clock, names, table, triedAt } = await scene(EPOCH_MS - 1);
	const held = new Lock(table, 'events', clock);
	const remove = jest.spyOn(table, 'remove');
	for (let time = 0; time < 2; time++) await clock.run(held.acquire());
	expect(remove).not.toHaveBeenCalled();
	expect(names()).toEqual(['lock:1000:events']);
	clock.pass(1);
	await clock.run(held.acquire());
	expect(names()).toEqual(['lock:1001:events']);
	expect(triedAt.at(-1)).toBe(1);
	await clock.run(held.release());
	expect(names()).toEqual([]);
});

it('is tried for again when its epoch is over before it is there', async () => {
	const { clock, table, triedAt } = await scene(15_000);
	let looks = 0;
	const now = () => clock.now() + (looks++ > 0 ? EPOCH_MS : 0);
	await clock.run(new Lock(table, 'events', { ...clock, now }).acquire());
	expect(triedAt).toHaveLength(2);
});

it('others that keep the lock are waited for during two epochs, with longer and longer pauses', async () => {
	const { clock, triedAt, lock, hold } = await scene(0);
	clock.pass(EPOCH_MS);
	for (let epoch = 1000; epoch < 1010; epoch++) await hold(epoch);
	await expect(lock()).rejects.toThrow('events stays locked');
	const pauses = triedAt.slice(1).map((at, index) => at - triedAt[index]);
	const inAll = triedAt.at(-1)! - triedAt[0];
	expect(inAll).toBeGreaterThanOrEqual(2 * EPOCH_MS);
	expect(inAll).toBeLessThan(2 * EPOCH_MS + 3000);
	expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
	expect(pauses[0]).toBeLessThanOrEqual(15);
	expect(Math.max(...pauses)).toBeLessThanOrEqual(3000);
	expect(pauses.length).toBeLessThan(100);
});
