import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { answer, MISBEHAVIORS, sentAs, startFaultServer } from '../support/faultServer.ts';
import type { FaultServer, Misbehavior } from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { runNode, SEND } from '../support/runNode.ts';

const TO = '+14155552671';
/** Auto takes the window for open: the customer is said to have written a minute ago. */
const AUTO = {
	category: 'auto',
	customerLastMessageAt: '={{ $now.minus(1, "minute").toISO() }}',
	fallbackCategory: 'marketing',
} satisfies INodeParameters;

function sentIn(category: string, messageId: string): Misbehavior {
	return messageOf({ message_id: messageId, status: 'sent', category });
}

function messageOf(data: object): Misbehavior {
	return answer('200 OK', JSON.stringify({ success: true, data }));
}

const REFUSED = answer('400 Bad Request', '{"error":{"code":131047,"message":"Window closed"}}');
const FAILED = { message_id: 'm1', status: 'failed', error: { code: 131047 } };

// README, React to customers: Auto and the fallback category
describe('when the API says that the window is closed after all', () => {
	const { api, bodies, send } = localAccount();

	it('Auto sends the message once more, with the fallback category, and says so', async () => {
		const { json, hints } = await send(AUTO);
		expect(bodies()).toMatchObject([{ category: 'service' }, { category: 'marketing' }]);
		expect(json).toMatchObject([{ status: 'sent', category: 'marketing', fallbackUsed: true }]);
		expect(Object.keys(json[0]).slice(0, 4)).toEqual([
			...['message_id', 'to', 'status'],
			'fallbackUsed',
		]);
		expect(hints).toEqual(['1 message sent, 1 with the fallback category, cost INR 0.8631.']);
	});

	it('a message that goes out as service is sent once', async () => {
		await api().customerWrites(TO, 'Hello');
		const { json } = await send(AUTO);
		expect(bodies()).toMatchObject([{ category: 'service' }]);
		expect(json[0]).not.toHaveProperty('fallbackUsed');
	});

	it('a fixed category is not changed, and is told of Auto', async () => {
		const { error } = await send({ category: 'service' });
		expect(bodies()).toHaveLength(1);
		expect(error?.description).toContain('or set Category to Auto');
	});

	it.each(['utility', 'marketing'])(
		'nobody is told to choose %s who has chosen it',
		async (category) => {
			const { error } = await send({ category }, [{ to: '+12025550147' }]);
			expect(bodies()).toHaveLength(1);
			expect(error?.message).toBe('The 24-hour service window of this customer is closed [item 0]');
			expect(error?.description).toMatch(
				/^Check in your dashboard which category the template is approved for, and choose it as Category\. The API says: /,
			);
		},
	);

	it('the spending limit holds for the fallback category too', async () => {
		const { error } = await send({ ...AUTO, options: { spendingLimit: 0.5 } });
		expect(bodies()).toMatchObject([{ category: 'service' }]);
		expect(error?.message).toBe('The 24-hour service window of this customer is closed [item 0]');
		expect(error?.description).toMatch(/^It was not sent with Fallback Category, because the run/);
		const items = [{ to: TO }, { to: '+14155552672' }];
		const options = { spendingLimit: 0.9, concurrency: 1 };
		const two = await send({ ...AUTO, options }, items, { onError: 'continueRegularOutput' });
		expect(two.json).toMatchObject([{ fallbackUsed: true }, { error: { outcome: 'rejected' } }]);
	});
});

describe('of a message that failed', () => {
	let server: FaultServer;

	afterEach(async () => await server.close());

	const categories = () =>
		server.received.filter(Boolean).map((body) => (JSON.parse(body) as IDataObject).category);

	async function runWith(
		answers: Misbehavior[],
		changes: INodeParameters = {},
		items = [{ to: TO }],
		settings = {},
	) {
		server = await startFaultServer((number) => answers[number] ?? answers[answers.length - 1]);
		const parameters = { ...SEND, ...AUTO, ...changes };
		return await runNode({ baseUrl: server.url, parameters, items, settings });
	}

	const WAIT = { options: { waitFor: 'delivered', waitTimeout: 20, requestsPerMinute: 0 } };

	it.each([
		['refused with an HTTP status', REFUSED],
		['refused with success: false', answer('200 OK', '{"success":false,"error":{"code":131047}}')],
		['failed at once', messageOf(FAILED)],
	])('%s, another is sent', async (_, first) => {
		const { json } = await runWith([first, sentIn('marketing', 'm2')]);
		expect(categories()).toEqual(['service', 'marketing']);
		expect(json).toMatchObject([{ message_id: 'm2', fallbackUsed: true }]);
	});

	it('failed while it was waited for, another is sent and waited for', async () => {
		const delivered = messageOf({ message_id: 'm2', status: 'delivered' });
		const { json, hints } = await runWith(
			[sentIn('service', 'm1'), messageOf(FAILED), sentIn('marketing', 'm2'), delivered],
			WAIT,
		);
		expect(categories()).toEqual(['service', 'marketing']);
		expect(json).toMatchObject([
			{ message_id: 'm2', fallbackUsed: true, delivery: { status: 'delivered' } },
		]);
		expect(hints).toEqual([
			expect.stringMatching(/^1 message sent, 1 with the fallback category, 1 delivered,/),
		]);
	});

	it.each([
		[
			'a server error',
			'500 Internal Server Error',
			{ error: { code: 131047 } },
			/^The message may/,
		],
		[
			'a refusal with an ID',
			'200 OK',
			{ success: false, data: FAILED, error: FAILED.error },
			/^The message may/,
		],
		['another reason', '400 Bad Request', { error: { code: 131026 } }, /^Check the number, with/],
	])('no other is sent after %s, whose own advice stays', async (_, status, body, advice) => {
		const first = answer(status, JSON.stringify(body));
		const { error } = await runWith([first, sentIn('marketing', 'm2')]);
		expect(categories()).toEqual(['service']);
		expect(error?.description).toMatch(advice);
	});

	const YESTERDAY = '={{ $now.minus(25, "hours").toISO() }}';

	it.each<[string, INodeParameters, string]>([
		['was sent with the fallback at once', { customerLastMessageAt: YESTERDAY }, 'marketing'],
		['has service as its fallback', { fallbackCategory: '={{ "service" }}' }, 'service'],
	])('no other is sent when it %s', async (_, changes, category) => {
		await runWith([REFUSED], changes);
		expect(categories()).toEqual([category]);
	});

	it('no third is sent when the second fails while it is waited for', async () => {
		const { error } = await runWith(
			[sentIn('service', 'm1'), messageOf(FAILED), sentIn('marketing', 'm2'), messageOf(FAILED)],
			WAIT,
		);
		expect(categories()).toEqual(['service', 'marketing']);
		expect(error?.description).not.toContain('Auto');
	});

	it('no third is sent, and the advice is not to choose Auto', async () => {
		const { error } = await runWith([REFUSED]);
		expect(categories()).toEqual(['service', 'marketing']);
		expect(error?.description).toMatch(
			/^Check in your dashboard which category .* Fallback Category\. The API says: "Window closed"\.$/,
		);
	});

	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('a try after the first does not repeat what was sent with the fallback category', async () => {
		const items = [{ to: TO }, { to: '+14155552672' }];
		const options = { concurrency: 1, requestsPerMinute: 0 };
		const { json } = await runWith(
			[REFUSED, sentIn('marketing', 'm2'), MISBEHAVIORS.refused400, sentIn('service', 'm4')],
			{ options },
			items,
			retry,
		);
		expect(categories()).toEqual(['service', 'marketing', 'service', 'service']);
		expect(json).toMatchObject([{ message_id: 'm2', fallbackUsed: true }, { message_id: 'm4' }]);
	});

	it('a try after the first does not repeat what may have gone with the fallback category', async () => {
		const { error } = await runWith(
			[sentIn('service', 'm1'), messageOf(FAILED), MISBEHAVIORS.error500Empty, sentAs('m4')],
			WAIT,
			[{ to: TO }],
			retry,
		);
		expect(categories()).toEqual(['service', 'marketing']);
		expect(error?.context.data).toMatchObject({ outcome: 'unknown' });
	});
});
