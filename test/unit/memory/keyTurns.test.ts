import { createKeyTurns } from '../../../nodes/BusinessMessaging/memory/keyTurns';
import { createVirtualClock } from '../../support/virtualClock';

it('lets one task of a key run at a time, in their order, also after one that fails', async () => {
	const clock = createVirtualClock();
	const inTurn = createKeyTurns();
	const log: string[] = [];
	const task = async (key: string, name: string, fails = false) =>
		await inTurn(key, async () => {
			log.push(`${name} begins`);
			await clock.sleep(10);
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		});
	const tasks = [task('a', 'first', true), task('a', 'second'), task('b', 'other')];
	const results = await clock.run(Promise.allSettled(tasks));
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
	expect(log).toEqual([
		'first begins',
		'other begins',
		'first ends',
		'other ends',
		'second begins',
		'second ends',
	]);
	expect(await clock.run(task('a', 'third'))).toBe('third');
});
