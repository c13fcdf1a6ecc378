import type { IWebhookFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { createKnownSecrets } from '../../../nodes/BusinessMessaging/events/knownSecrets';
import { createVirtualClock } from '../../support/virtualClock.ts';

let clock = createVirtualClock();
let known = createKnownSecrets(clock);
beforeEach(() => {
	clock = createVirtualClock();
	known = createKnownSecrets(clock);
});

interface Place {
	workflow?: string;
	node?: string;
	credentials?: unknown;
}

/** What is known of one trigger; of another one each time, unless a place is given. */
function secretsOf({ workflow = 'w', node = randomUUID(), credentials }: Place = {}) {
	return known.of({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node, credentials }),
	} as unknown as IWebhookFunctions);
}

const credentialOf = (id: string): Place => ({
	node: 'n',
	credentials: { businessMessagingApi: { id, name: 'Account' } },
});

describe('the secrets of a trigger', () => {
	it.each([
		['at once', 0, ['secret']],
		['a moment before ten seconds are over', 9_999, ['secret']],
		['no longer after ten seconds', 10_000, []],
	])('are known: %s', (_, passedMs, expected) => {
		const secrets = secretsOf();
		secrets.set(['secret']);
		clock.pass(passedMs);
		expect(secrets.get()).toEqual(expected);
	});

	it.each([-3_600_000, 3_600_000])('keep their time when the clock is set by %d ms', (ms) => {
		const secrets = secretsOf();
		secrets.set(['secret']);
		clock.set(ms);
		clock.pass(9_999);
		expect(secrets.get()).toEqual(['secret']);
		clock.pass(1);
		expect(secrets.get()).toEqual([]);
	});

	it.each<[string, Place, Place]>([
		['nodes', { node: 'a' }, { node: 'b' }],
		['workflows', { node: 'n', workflow: 'a' }, { node: 'n', workflow: 'b' }],
		['pairs of IDs that read alike', { workflow: '1', node: '12' }, { workflow: '11', node: '2' }],
		['credentials', credentialOf('1'), credentialOf('2')],
	])('are kept apart by %s', (_, place, otherPlace) => {
		secretsOf(place).set(['secret']);
		expect(secretsOf(place).get()).toEqual(['secret']);
		expect(secretsOf(otherPlace).get()).toEqual([]);
	});

	it.each([[undefined], [{}]])(
		'are unknown when the credentials of the node are %p',
		(credentials) => {
			expect(secretsOf({ credentials }).get()).toEqual([]);
		},
	);

	it('are all forgotten when those of the thousand-and-first trigger come', () => {
		/** How many others are set until the first one is forgotten, which clears all but the last. */
		const othersUntilForgotten = (first: ReturnType<typeof secretsOf>) => {
			for (let others = 1; others <= 2000; others++) {
				const last = secretsOf();
				last.set(['other']);
				if (first.get().length === 0) return { others, last };
			}
			throw new Error('Never forgotten');
		};
		const first = secretsOf();
		first.set(['secret']);
		const { last } = othersUntilForgotten(first);
		expect(last.get()).toEqual(['other']);
		expect(othersUntilForgotten(last).others).toBe(1000);
	});
});
