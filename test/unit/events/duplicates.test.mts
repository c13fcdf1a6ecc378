import type { FunctionsBase } from 'n8n-workflow';

import { ProcessMemory } from '../../../nodes/BusinessMessaging/events/duplicates';
import { createVirtualClock } from '../../support/virtualClock.mts';

it('a process remembers its last 50,000 events; one that came back after its time is not the oldest', () => {
	const clock = createVirtualClock();
	const memory = new ProcessMemory(clock);
	const trigger = { getWorkflow: () => ({ id: 'w' }), getNode: () => ({ id: 'n' }) };
	const claim = (key: string) => memory.claim(trigger as FunctionsBase, key, 2);
	const claimOthers = (from: number, to: number) => {
		for (let index = from; index < to; index++) claim(`event ${index}`);
	};
	claim('a');
	claim('b');
	clock.pass(2 * 3_600_000);
	claim('a');
	claimOthers(0, 49_999);
	expect(claim('a')).toBe(false);
	claimOthers(49_999, 50_000);
	expect(claim('a')).toBe(true);
	expect(claim('event 1')).toBe(false);
});
