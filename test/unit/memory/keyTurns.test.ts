import { createKeyTurns } from '../../../nodes/BusinessMessaging/memory/keyTurns';
import { createVirtualClock } from '../../support/virtualClock';

it('lets one task of a key run at a time, in their order, also after one that fails', async () => {
	const clock = createVirtualClock();
	const last = new Map<string, Promise<unknown>>();
	const inTurn = createKeyTurns(last);
	const log: string[] = [];
	const task = async (key: string, name: string, fails = false) =>
		await inTurn(key, async () => {
			log.push(`${name} begins`);
			await clock.sleep(10);
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		});
	const first = task('a', 'first', true);
	// While the second runs.
	const third = first.catch(async () => await task('a', 'third'));
	const tasks = [first, task('a', 'second'), task('b', 'other'), third];
	const results = await clock.run(Promise.allSettled(tasks));
	expect(results.map(({ status }) => status)).toEqual([
		'rejected',
		'fulfilled',
		'fulfilled',
		'fulfilled',
	]);
	expect(log).toEqual([
		'first begins',
		'other begins',
		'first ends',
		'other ends',
		'second begins',
		'second ends',
		'third begins',
		'third ends',
	]);
	expect(last.size).toBe(0);
});
