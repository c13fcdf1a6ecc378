import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { once } from 'node:events';
import { inspect } from 'node:util';

import {
	MISBEHAVIORS,
	REJECTIONS,
	UNCLEAR,
	answer,
	closedAddress,
	sentAs,
	startFaultServer,
	type FaultServer,
	type Misbehavior,
} from '../support/faultServer.mts';
import { localAccount } from '../support/localAccount.mts';
import { API_KEY, SEND, runNode } from '../support/runNode.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

type Name = keyof typeof MISBEHAVIORS;

const ITEMS = ['0', '1', '2', '3'].map((last) => ({ to: `+1415555267${last}` }));
const BAD = ITEMS[1].to;
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

let server: FaultServer;
const open: FaultServer[] = [];

afterEach(async () => await open.pop()?.close());

/** One run against a server that behaves like this. */
async function send(
	behave: (requestNumber: number, body: string) => Misbehavior,
	settings: Partial<INode> = {},
	{ options, ...changes }: INodeParameters = {},
	items: IDataObject[] = ITEMS,
) {
	server = await startFaultServer(behave);
	open.push(server);
	const all = { requestsPerMinute: 0, timeout: 1, concurrency: 1, ...(options as object) };
	const parameters = { ...SEND, ...changes, options: all };
	return await runNode({ baseUrl: server.url, parameters, items, settings });
}

/** A server that misbehaves for one recipient only. */
function failingFor(to: string, name: Name) {
	return (_: number, body: string) => MISBEHAVIORS[body.includes(to) ? name : 'sent'];
}

/** How often each of the customers was sent a message. */
function requests(): number[] {
	return ITEMS.map(({ to }) => server.received.filter((body) => body.includes(to)).length);
}

/** With these the API rejects the message, and not its sender. */
const OWN_REASONS: Name[] = ['falseWithoutId', 'sentAndFailed', 'refused400'];

// README, Top: a retry sends nothing twice, nor does a timeout
describe.each([
	...Object.keys(UNCLEAR).map((name) => [name, 'unknown']),
	...Object.keys(REJECTIONS).map((name) => [name, 'rejected']),
] as Array<[Name, string]>)('a server that answers with %s', (name, outcome) => {
	it(`gets the message once, and the outcome is ${outcome}`, async () => {
		const { json, run } = await send(failingFor(BAD, name), CONTINUE);
		expect(json[1]).toMatchObject({ error: { outcome, message: expect.any(String) } });
		const { remedy } = json[1].error as IDataObject;
		expect(String(remedy).includes('may have been sent')).toBe(outcome === 'unknown');
		expect(requests()).toEqual([1, 1, 1, 1]);
		expect(JSON.stringify(run)).not.toContain(API_KEY);
	});

	it.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'gets each message that it accepted once with Retry On Fail ×3 and %s',
		async (onError) => {
			const settings = { ...RETRY, onError };
			await send(failingFor(ITEMS[0].to, name), settings, { options: { concurrency: 2 } });
			const [first, ...others] = requests();
			if (outcome === 'unknown') expect(first).toBe(1);
			expect(Math.max(...others)).toBe(1);
			const isOwn = outcome === 'unknown' || OWN_REASONS.includes(name);
			if (onError !== 'stopWorkflow' || isOwn) expect(others).toEqual([1, 1, 1]);
		},
	);
});

it('closes the connection of an answer that it no longer waits for', async () => {
	let closed: Promise<unknown> | undefined;
	const { error } = await send(() => (socket) => {
		closed = once(socket, 'close');
		MISBEHAVIORS.dripsForever(socket);
	});
	expect(error?.message).toMatch(/^4 of 4 items failed, .* The API did not answer in time$/);
	await closed;
});

// docs/good-to-know.md: Retry On Fail sends only the rest
describe('Retry On Fail ×3', () => {
	/** Computed anew for each try, as a code or a time is. */
	const changing = {
		variablesInput: 'templateText',
		templateText: 'Your code is {{1}}.',
		variable1: '={{ Math.random() }}',
	};

	it.each<[string, Name, number[]]>([
		['sends once what was sent', 'refused400', [1, 3, 1, 1]],
		['does not send again what may have been sent', 'neverAnswers', [1, 1, 1, 1]],
		['goes on behind that, if it ended the first try', 'page200', [1, 1, 1, 1]],
	])('%s, also when the variables change with each try', async (_, name, expected) => {
		const { error } = await send(failingFor(BAD, name), RETRY, changing);
		expect(error?.message).toMatch(/ \[item 1, row 2\]$/);
		expect(requests()).toEqual(expected);
	});

	// What the customer reads is not stored, because n8n's redaction would not reach it.
	it('puts out no text that a later try computed', async () => {
		let tries = 0;
		const refusedTwice = (_: number, body: string) =>
			MISBEHAVIORS[body.includes(BAD) && ++tries < 3 ? 'refused400' : 'sent'];
		const { json } = await send(refusedTwice, RETRY, changing);
		expect(json[0].message_id).toBeDefined();
		expect(json.map((item) => 'preview' in item)).toEqual([false, true, false, false]);
	});
});

it('what a server was not sent because it refuses connections is "notSent"', async () => {
	const baseUrl = await closedAddress();
	const { json } = await runNode({ baseUrl, parameters: SEND, items: ITEMS, settings: CONTINUE });
	const message = expect.stringContaining('the connection was refused');
	expect(json[0].error).toMatchObject({ outcome: 'notSent', retryable: true, message });
});

// docs/good-to-know.md: when nothing gets through
describe('a run of 40 items with "continue on error" ends', () => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const sheet = Array.from({ length: 40 }, (_, index) => ({ to: `+141555526${10 + index}` }));

	async function failuresOf(behave: (requestNumber: number) => Misbehavior) {
		const options = { requestsPerMinute: 60, concurrency: 10 };
		const { failed } = await send(behave, settings, { options }, sheet);
		return failed.map(({ json }) => json.error as IDataObject);
	}

	it.each<[Name, string]>([
		['plan403', 'rejected'],
		['page404', 'rejected'],
		['route404', 'rejected'],
		['captivePortal', 'unknown'],
		['error500WithBody', 'unknown'],
		['resetAfterSending', 'unknown'],
	])('after five that were answered with %s', async (name, outcome) => {
		const failures = await failuresOf(() => MISBEHAVIORS[name]);
		expect(server.received).toHaveLength(5);
		const tried = failures.filter((failure) => failure.outcome === outcome);
		const untried = failures.filter((failure) => failure.outcome === 'notSent');
		expect([tried.length, untried.length]).toEqual([5, 35]);
		for (const failure of untried) {
			expect(failure.message).toBe(tried[0].message);
			expect(failure.remedy).toMatch(/not tried, because/);
			expect(failure.remedy).not.toContain('may have been sent');
			expect(failure).not.toHaveProperty('messageId');
		}
	});

	it.each<[string, (requestNumber: number) => Name, number]>([
		['its template does not exist', () => 'falseWithoutId', 40],
		['all numbers are wrong', () => 'refused400', 40],
		['one of five gets through', (number) => (number % 5 ? 'error500WithBody' : 'sent'), 32],
	])('only after all of them when %s', async (_, nameFor, expected) => {
		expect(await failuresOf((number) => MISBEHAVIORS[nameFor(number)])).toHaveLength(expected);
		expect(server.received).toHaveLength(40);
	});

	it('in Get Status too, after five look-ups, each of which is tried four times', async () => {
		const getStatus = { operation: 'getStatus', messageId: '={{ $json.to.slice(1) }}' };
		const options = { concurrency: 10 };
		const fails = () => MISBEHAVIORS.error500WithBody;
		const { failed } = await send(fails, settings, { ...getStatus, options }, sheet);
		expect(failed).toHaveLength(40);
		expect(failed[39].json.error).toMatchObject({
			message: 'The API is not working properly (HTTP 500)',
			outcome: null,
			remedy: expect.stringContaining('not tried'),
		});
		// Ten are made at a time, and four more begin before the fifth has failed.
		expect(server.received.length).toBeLessThanOrEqual((10 + 4) * 4);
	});
});

it('sends to nobody twice because of unknown outcomes, however often the node is tried', async () => {
	const settings = { ...CONTINUE, ...RETRY, maxTries: 5 };
	await send(() => MISBEHAVIORS.error500Empty, settings);
	expect(requests()).toEqual([1, 1, 1, 1]);
});

// SECURITY, The API key: in no error
it('keeps the key out of the error that stops the execution', async () => {
	const { run, error } = await send(failingFor(BAD, 'resetAfterSending'));
	expect(error).toBeDefined();
	expect(inspect(run, { depth: 20, showHidden: true })).not.toContain(API_KEY);
});

// docs/good-to-know.md: the error lists items and has the message IDs
it('says when it stops which messages were sent before, with their IDs', async () => {
	const { error } = await send(failingFor(BAD, 'refused400'));
	expect(error?.message).toBe(
		'The recipient is not a valid number or is not on the messaging network [item 1, row 2]',
	);
	expect(error?.description).toContain(
		'3 of 4 messages were sent: items 0, 2-3. Retry in the list',
	);
	expect(error?.context.data).toMatchObject({ messageIds: { 0: 'm1', 2: 'm1', 3: 'm1' } });
	expect(requests()).toEqual([1, 1, 1, 1]);
});

// README, Top: no campaign stops at one row; docs/good-to-know.md: when nothing gets through
describe('a run of 40 items without "continue on error"', () => {
	const sheet = Array.from({ length: 40 }, (_, index) => ({ to: `+141555526${10 + index}` }));

	it.each<[string, Partial<Record<Name, number>>, number, RegExp]>([
		[
			'sends all others, however many fail in a row',
			{ refused400: 6, sentAndFailed: 6, error500Empty: 4 },
			40,
			/^16 of 40 items failed, the first is item 1, row 2: The recipient is not/,
		],
		[
			'ends at the first failure that concerns all, and names that first',
			{ refused400: 6, plan403: 33 },
			8,
			/^Your account's plan has no API access \[item 7, row 8\]$/,
		],
		[
			'ends after five unclear ones in a row',
			{ refused400: 6, error500Empty: 33 },
			12,
			/^11 of 40 items failed, the first is item 1, row 2: The recipient/,
		],
	])('%s', async (_, faults, made, message) => {
		const names = Object.entries(faults).flatMap(([name, times]) =>
			Array<Name>(times).fill(name as Name),
		);
		const behave = (number: number) => MISBEHAVIORS[names[number - 1] ?? 'sent'];
		const { error } = await send(behave, {}, {}, sheet);
		expect(server.received).toHaveLength(made);
		expect(error?.message).toMatch(message);
	});
});

describe('the fallback category', () => {
	const TO = '+14155552671';
	/** Auto takes the window for open: the customer is said to have written a minute ago. */
	const AUTO = {
		category: 'auto',
		customerLastMessageAt: '={{ $now.minus(1, "minute").toISO() }}',
		fallbackCategory: 'marketing',
	} satisfies INodeParameters;

	// docs/sending.md: Auto and the fallback category
	describe('when the API says that the window is closed after all', () => {
		const account = localAccount();

		it('Auto sends the message once more, with the fallback category, and says so', async () => {
			const { json, hints } = await account.send(AUTO);
			expect(account.bodies()).toMatchObject([{ category: 'service' }, { category: 'marketing' }]);
			expect(json).toMatchObject([{ status: 'sent', category: 'marketing', fallbackUsed: true }]);
			expect(hints).toEqual(['1 message sent, cost INR 0.8631.']);
		});

		it('a message that goes out as service is sent once', async () => {
			await account.api().customerWrites(TO, 'Hello');
			const { json } = await account.send(AUTO);
			expect(account.bodies()).toMatchObject([{ category: 'service' }]);
			expect(json[0]).not.toHaveProperty('fallbackUsed');
		});

		it.each([
			['service', TO, /^Set Category to Auto, or to the category/],
			['marketing', '+12025550147', /^Set Category to Auto, or to the category/],
		])('%s as a fixed category is not changed', async (category, to, advice) => {
			const { error } = await account.send({ category }, [{ to }]);
			expect(account.bodies()).toHaveLength(1);
			const message = 'The 24-hour service window of this customer is closed [item 0]';
			expect(error?.message).toBe(message);
			expect(error?.description).toMatch(advice);
		});

		it('the spending limit holds for the fallback category too', async () => {
			const { error } = await account.send({ ...AUTO, options: { spendingLimit: 0.5 } });
			expect(account.bodies()).toMatchObject([{ category: 'service' }]);
			expect(error?.description).toMatch(/^It was not sent with Fallback Category, because the/);
		});
	});

	const success = (data: object) => answer('200 OK', JSON.stringify({ success: true, data }));
	const BY_SERVICE = success({ message_id: 'm1', status: 'sent', category: 'service' });
	const BY_MARKETING = success({ message_id: 'm2', status: 'sent', category: 'marketing' });
	const DELIVERED = success({ message_id: 'm2', status: 'delivered' });
	const error = { code: 131047 };
	const CLOSED = { message_id: 'm1', status: 'failed', error };
	const FAILED = success(CLOSED);
	const REFUSED = answer('400 Bad Request', JSON.stringify({ error }));
	const FALSE = answer('200 OK', JSON.stringify({ success: false, error }));
	const FALSE_WITH_ID = answer('200 OK', JSON.stringify({ success: false, data: CLOSED, error }));
	const SERVER_ERROR = answer('500 Internal Server Error', JSON.stringify({ error }));
	const WAIT = { options: { waitFor: 'delivered', waitTimeout: 20 } };

	/** Sends to a server that gives these answers, and then the last one again and again. */
	async function sendAuto(
		answers: Misbehavior[],
		changes: INodeParameters = {},
		items = [{ to: TO }],
		settings = {},
	) {
		const behave = (number: number) => answers[number] ?? answers[answers.length - 1];
		const run = await send(behave, settings, { ...AUTO, ...changes }, items);
		const sends = server.received.filter(Boolean).map((body) => JSON.parse(body) as IDataObject);
		return { ...run, categories: sends.map(({ category }) => category) };
	}

	it.each<[string, Misbehavior[], INodeParameters, object]>([
		['was refused with an HTTP status', [REFUSED, BY_MARKETING], {}, {}],
		['was refused with success: false', [FALSE, BY_MARKETING], {}, {}],
		['failed at once', [FAILED, BY_MARKETING], {}, {}],
		[
			'failed while it was waited for',
			[BY_SERVICE, FAILED, BY_MARKETING, DELIVERED],
			WAIT,
			{ delivery: { status: 'delivered' } },
		],
	])('after a message that %s, another is sent', async (_, answers, wait, delivery) => {
		const { categories, json, hints } = await sendAuto(answers, wait);
		expect(categories).toEqual(['service', 'marketing']);
		expect(json).toMatchObject([{ message_id: 'm2', fallbackUsed: true, ...delivery }]);
		expect(hints[0]).toMatch(/^1 message sent,/);
	});

	const YESTERDAY = '={{ $now.minus(25, "hours").toISO() }}';
	const CHECK_CATEGORY = /^Set Category to Auto, or .* With Auto, that is the Fallback Category/;

	it.each<[string, Misbehavior[], INodeParameters, string[], RegExp]>([
		['a server error', [SERVER_ERROR], {}, ['service'], /^The message may/],
		['a refusal with an ID', [FALSE_WITH_ID], {}, ['service'], /^The message may/],
		['another reason', [MISBEHAVIORS.refused400], {}, ['service'], /^Write the number with/],
		[
			'the fallback at once',
			[REFUSED],
			{ customerLastMessageAt: YESTERDAY },
			['marketing'],
			CHECK_CATEGORY,
		],
		['a refused fallback', [REFUSED], {}, ['service', 'marketing'], CHECK_CATEGORY],
		[
			'a fallback that failed while it was waited for',
			[BY_SERVICE, FAILED, BY_MARKETING, FAILED],
			WAIT,
			['service', 'marketing'],
			CHECK_CATEGORY,
		],
		[
			'a fallback that failed, and that the API calls service too',
			[BY_SERVICE, FAILED, BY_SERVICE, FAILED, BY_MARKETING, DELIVERED],
			WAIT,
			['service', 'marketing'],
			CHECK_CATEGORY,
		],
	])('no other is sent after %s', async (_, answers, changes, expected, advice) => {
		const { categories, error: stopped } = await sendAuto(answers, changes);
		expect(categories).toEqual(expected);
		expect(stopped?.description).toMatch(advice);
	});

	it('a try after the first does not repeat what was sent with the fallback category', async () => {
		const answers = [REFUSED, BY_MARKETING, MISBEHAVIORS.refused400, BY_SERVICE];
		const items = [{ to: TO }, { to: '+14155552672' }];
		const { categories, json } = await sendAuto(answers, {}, items, RETRY);
		expect(categories).toEqual(['service', 'marketing', 'service', 'service']);
		expect(json).toMatchObject([{ message_id: 'm2', fallbackUsed: true }, { message_id: 'm1' }]);
	});

	it('a try after the first does not repeat what may have gone with the fallback category', async () => {
		const answers = [BY_SERVICE, FAILED, MISBEHAVIORS.error500Empty, sentAs('m4')];
		const { categories, error: stopped } = await sendAuto(answers, WAIT, undefined, RETRY);
		expect(categories).toEqual(['service', 'marketing']);
		expect(stopped?.context.data).toMatchObject({ outcome: 'unknown' });
	});
});

describe('a second try', () => {
	/** An expression that gives something else in the second try, when the node's memory is there. */
	function later(first: string, second: string) {
		return `={{ $node["Node"].context.sentMessages ? ${second} : ${first} }}`;
	}

	/** The first try sends all but the first item. */
	async function twoTries(changes: INodeParameters) {
		const behave = (number: number) =>
			number === 0 ? MISBEHAVIORS.refused400 : sentAs(`m${number}`);
		const settings = { ...CONTINUE, ...RETRY, maxTries: 2 };
		return await send(behave, settings, changes, ITEMS.slice(0, 3));
	}

	const SENT_BEFORE = ['m1', 'm2'].map((id) => expect.objectContaining({ message_id: id }));

	const failed = (error: object) => ({ error: expect.objectContaining(error) });
	const limited = (limit: string) => ({ options: { spendingLimit: later('100', limit) } });

	// docs/good-to-know.md: Retry On Fail sends only the rest
	// SECURITY, Known limits: Spending Limit holds for one run of one node
	it.each<[string, INodeParameters, object]>([
		['may cost what is left', limited('0.345'), { message_id: 'm3' }],
		['may cost less than is left', limited('0.344'), failed({ outcome: 'notSent' })],
		[
			'is over the spending limit',
			limited('0'),
			failed({ remedy: expect.stringContaining('Nothing more was sent.') }),
		],
		[
			'has an option that is wrong',
			{ options: { concurrency: later('1', '"x"') } },
			failed({ remedy: expect.stringContaining('Enter a number') }),
		],
		[
			'cannot read the items any more',
			{ to: later('$json.to', '"call me"') },
			failed({ message: 'The recipient "call me" is not a phone number' }),
		],
	])('that %s leaves what the first one sent its result', async (_, changes, first) => {
		const { json } = await twoTries(changes);
		expect(json).toEqual([expect.objectContaining(first), ...SENT_BEFORE]);
		expect(requests()).toEqual([expect.any(Number), 1, 1, 0]);
	});
});
