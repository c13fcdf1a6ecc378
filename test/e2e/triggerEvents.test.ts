import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';
import { publishTrigger } from '../support/publishedTrigger.ts';
import {
	accepted,
	duplicate,
	incomingEvent,
	incomingWith,
	refused,
} from '../support/webhookEvents.ts';

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

async function openTrigger(options: Record<string, unknown> = {}) {
	return await publishTrigger(n8n, { events: ['*'], authentication: 'none', options });
}

test('the emitted item has the event and its service window, and neither headers nor query', async () => {
	const trigger = await openTrigger();
	const event = incomingEvent();
	await trigger.post({ query: '?token=in-the-query', body: JSON.stringify(event) });
	await trigger.expectRuns(1);
	const [execution] = await n8n.client.executions.list(trigger.id);
	expect(outputOf(execution, 'Trigger')).toEqual([
		{
			...event,
			phone: event.data.from,
			deliveryKey: expect.any(String),
			receivedAt: expect.any(String),
			serviceWindow: {
				openedAt: '2026-01-31T14:05:00.000Z',
				expiresAt: '2026-02-01T14:05:00.000Z',
			},
		},
	]);
	expect(JSON.stringify(execution.data)).not.toContain('in-the-query');
});

test('a repeated delivery runs the workflow once', async () => {
	const trigger = await openTrigger();
	const event = incomingWith({});
	expect(await trigger.post(event)).toEqual(accepted);
	expect(await trigger.post(event)).toEqual(duplicate);
	expect(await trigger.post(incomingWith({}))).toEqual(accepted);
	await trigger.expectRuns(2);
});

test('only addresses on the list are let in', async () => {
	const elsewhere = await openTrigger({ ipAllowlist: '203.0.113.0/24' });
	expect(await elsewhere.post(incomingWith({}))).toEqual(refused(403, /address/));
	expect(await elsewhere.runs()).toBe(0);
});

// SECURITY, The trigger: fails closed
test('when the secret is removed from the credential every request is refused', async () => {
	const save = async (webhookSecret: string) =>
		await saveAccount(n8n, 'Secret to be removed', { webhookSecret });
	const trigger = await publishTrigger(
		n8n,
		{ events: ['*'], authentication: 'secretToken' },
		await save('current-secret'),
	);
	await save(' ');
	for (const query of ['', '?token=', '?token=%20', '?token=undefined', '?token=current-secret']) {
		expect(await trigger.post({ query, ...incomingWith({}) })).toEqual(refused(401, /token/));
	}
	expect(await trigger.runs()).toBe(0);
});
