import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import {
	MISBEHAVIORS,
	REJECTIONS,
	UNCLEAR,
	answer,
	sentAs,
	type Misbehavior,
	useFaultServer,
} from '../support/faultServer.mts';
import { API_KEY, CONTINUE, RETRY, SEND, runNode } from '../support/runNode.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

type Name = keyof typeof MISBEHAVIORS;

const ITEMS = ['0', '1', '2', '3'].map((last) => ({ to: `+1415555267${last}` }));
const BAD = ITEMS[1].to;

const server = useFaultServer();

/** One run against a server that behaves like this. */
async function send(
	behave: (requestNumber: number, body: string) => Misbehavior,
	settings: Partial<INode> = {},
	{ options, ...changes }: INodeParameters = {},
	items: IDataObject[] = ITEMS,
) {
	server.behave = behave;
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
		const settings = { ...RETRY, onError: 'continueErrorOutput' } as const;
		const { failed, run } = await send(failingFor(BAD, name), settings);
		expect(failed).toMatchObject([{ json: { error: { outcome, message: expect.any(String) } } }]);
		const { remedy } = failed[0].json.error as IDataObject;
		expect(String(remedy).includes('may have been sent')).toBe(outcome === 'unknown');
		expect(requests()).toEqual([1, 1, 1, 1]);
		expect(JSON.stringify(run)).not.toContain(API_KEY);
	});

	it('gets each message that it accepted once with Retry On Fail ×3 when the run stops', async () => {
		const options = { concurrency: 2 };
		const { run } = await send(failingFor(ITEMS[0].to, name), RETRY, { options });
		const [first, ...others] = requests();
		if (outcome === 'unknown') expect(first).toBe(1);
		expect(Math.max(...others)).toBe(1);
		if (outcome === 'unknown' || OWN_REASONS.includes(name)) expect(others).toEqual([1, 1, 1]);
		// SECURITY, The API key: in no error
		expect(inspect(run, { depth: 20, showHidden: true })).not.toContain(API_KEY);
	});
});

it('closes the connection of an answer that it no longer waits for', async () => {
	const closed: Array<Promise<void>> = [];
	const { error } = await send(() => (socket) => {
		// Not by once() of node:events, which rejects if the connection is reset before it closes.
		closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
		MISBEHAVIORS.dripsForever(socket);
	});
	expect(error?.message).toMatch(/^4 of 4 items failed, .* The API did not answer in time$/);
	await Promise.all(closed);
	expect(closed).toHaveLength(4);
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

// docs/good-to-know.md: when nothing gets through
describe('a run of 40 items', () => {
	const sheet = Array.from({ length: 40 }, (_, index) => ({ to: `+141555526${10 + index}` }));

	it.each<[Name, string]>([
		['page404', 'rejected'],
		['error500WithBody', 'unknown'],
	])('with "continue on error" ends after five answers %s', async (name, outcome) => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const { failed } = await send(() => MISBEHAVIORS[name], settings, {}, sheet);
		expect(server.received).toHaveLength(5);
		const failures = failed.map(({ json }) => json.error as IDataObject);
		const tried = failures.filter((failure) => failure.outcome === outcome);
		const untried = failures.filter((failure) => failure.outcome === 'notSent');
		expect([tried.length, untried.length]).toEqual([5, 35]);
		for (const failure of untried) {
			expect(failure.message).toBe(tried[0].message);
			expect(failure.remedy).toMatch(/not tried, because/);
			expect(failure.remedy).not.toContain('may have been sent');
		}
	});

	// README, Top: no campaign stops at one row
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
	])('without it %s', async (_, faults, made, message) => {
		const names = Object.entries(faults).flatMap(([name, times]) =>
			Array<Name>(times).fill(name as Name),
		);
		const behave = (number: number) => MISBEHAVIORS[names[number - 1] ?? 'sent'];
		const { error } = await send(behave, {}, {}, sheet);
		expect(server.received).toHaveLength(made);
		expect(error?.message).toMatch(message);
	});
});

// docs/sending.md: Auto and the fallback category
describe('when the API says that the window is closed after all', () => {
	/** Auto takes the window for open: the customer is said to have written a minute ago. */
	const AUTO = {
		category: 'auto',
		customerLastMessageAt: '={{ $now.minus(1, "minute").toISO() }}',
		fallbackCategory: 'marketing',
	} satisfies INodeParameters;

	const error = { code: 131047 };
	const CLOSED = { message_id: 'm1', status: 'failed', error };
	const success = (data: object) => answer('200 OK', JSON.stringify({ success: true, data }));
	const unsuccessful = (more: object) =>
		answer('200 OK', JSON.stringify({ success: false, error, ...more }));
	const REFUSED = answer('400 Bad Request', JSON.stringify({ error }));
	const SERVER_ERROR = answer('500 Internal Server Error', JSON.stringify({ error }));
	const BY_SERVICE = success({ message_id: 'm1', status: 'sent', category: 'service' });
	const BY_MARKETING = success({ message_id: 'm2', status: 'sent', category: 'marketing' });

	/** Sends to a server that gives these answers, and then the last one again and again. */
	async function sendAuto(answers: Misbehavior[], changes: INodeParameters = {}) {
		const behave = (number: number) => answers[number] ?? answers[answers.length - 1];
		const run = await send(behave, {}, { ...AUTO, ...changes }, [{ to: '+14155552671' }]);
		const sends = server.received.filter(Boolean).map((body) => JSON.parse(body) as IDataObject);
		return { ...run, categories: sends.map(({ category }) => category) };
	}

	const DELIVERED = success({ message_id: 'm2', status: 'delivered' });

	it.each<[string, Misbehavior[], INodeParameters]>([
		['was refused with success: false', [unsuccessful({}), BY_MARKETING], {}],
		[
			'failed while it was waited for',
			[BY_SERVICE, success(CLOSED), BY_MARKETING, DELIVERED],
			{ options: { waitFor: 'delivered', waitTimeout: 20 } },
		],
	])('after a message that %s, another is sent', async (_, answers, wait) => {
		const { categories, json } = await sendAuto(answers, wait);
		expect(categories).toEqual(['service', 'marketing']);
		expect(json).toMatchObject([{ message_id: 'm2', fallbackUsed: true }]);
	});

	const YESTERDAY = '={{ $now.minus(25, "hours").toISO() }}';
	const CHECK_CATEGORY = /^Set Category to Auto, or .* With Auto, that is the Fallback Category/;

	it.each<[string, Misbehavior, INodeParameters, string[], RegExp]>([
		['a server error', SERVER_ERROR, {}, ['service'], /^The message may/],
		['a refusal with an ID', unsuccessful({ data: CLOSED }), {}, ['service'], /^The message may/],
		['another reason', MISBEHAVIORS.refused400, {}, ['service'], /^Write the number with/],
		[
			'the fallback at once',
			REFUSED,
			{ customerLastMessageAt: YESTERDAY },
			['marketing'],
			CHECK_CATEGORY,
		],
		['a refused fallback', REFUSED, {}, ['service', 'marketing'], CHECK_CATEGORY],
		['a category that was chosen', REFUSED, { category: 'service' }, ['service'], CHECK_CATEGORY],
		[
			'a fallback beyond the spending limit',
			REFUSED,
			{ options: { spendingLimit: 0.5 } },
			['service'],
			/^It was not sent with Fallback Category, because the/,
		],
	])('no other is sent after %s', async (_, reply, changes, expected, advice) => {
		const { categories, error: stopped } = await sendAuto([reply], changes);
		expect(categories).toEqual(expected);
		expect(stopped?.description).toMatch(advice);
	});
});

// docs/good-to-know.md: Retry On Fail sends only the rest
describe('a second try', () => {
	/** An expression that gives something else in the second try, when the node's memory is there. */
	function later(first: string, second: string) {
		return `={{ $node["Node"].context.sentMessages ? ${second} : ${first} }}`;
	}

	const failed = (error: object) => ({ error: expect.objectContaining(error) });
	const limited = (limit: string) => ({ options: { spendingLimit: later('100', limit) } });

	// SECURITY, Known limits: Spending Limit holds for one run of one node
	it.each<[string, INodeParameters, object]>([
		['may cost what is left', limited('0.345'), { message_id: 'm3' }],
		['may cost less than is left', limited('0.344'), failed({ outcome: 'notSent' })],
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
		const behave = (number: number) =>
			number === 0 ? MISBEHAVIORS.refused400 : sentAs(`m${number}`);
		const settings = { ...CONTINUE, ...RETRY, maxTries: 2 };
		const { json } = await send(behave, settings, changes, ITEMS.slice(0, 3));
		const sentBefore = ['m1', 'm2'].map((id) => expect.objectContaining({ message_id: id }));
		expect(json).toEqual([expect.objectContaining(first), ...sentBefore]);
		expect(requests()).toEqual([expect.any(Number), 1, 1, 0]);
	});
});
