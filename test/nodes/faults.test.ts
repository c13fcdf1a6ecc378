import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import {
	MISBEHAVIORS,
	answer,
	closedAddress,
	sentAs,
	startFaultServer,
	type FaultServer,
	type Misbehavior,
} from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { API_KEY, SEND, runNode } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.ts'),
);

type Name = keyof typeof MISBEHAVIORS;

const ITEMS = ['0', '1', '2', '3'].map((last) => ({ to: `+1415555267${last}` }));
const BAD = ITEMS[1].to;

let server: FaultServer | undefined;

afterEach(async () => {
	await server?.close();
	server = undefined;
});

/** A server that misbehaves for one recipient only. */
async function serverFailingFor(to: string, name: Name): Promise<FaultServer> {
	server = await startFaultServer((_, body) =>
		body.includes(to) ? MISBEHAVIORS[name] : MISBEHAVIORS.sent,
	);
	return server;
}

function received({ received: bodies }: FaultServer, to: string): number {
	return bodies.filter((body) => body.includes(to)).length;
}

const UNKNOWN: Name[] = [
	'resetAfterSending',
	'closedWithoutAnswer',
	'neverAnswers',
	'dripsForever',
	'dripsHeadersForever',
	'switchesProtocol',
	'error500WithBody',
	'error500Empty',
	'error503Page',
	'unreadable200',
	'page200',
	'idless200',
	'truncatedBody',
	'seeOther303',
	'conflict409',
	'falseWithId',
];
const TABLE: Array<[Name, string]> = [
	...UNKNOWN.map((name): [Name, string] => [name, 'unknown']),
	['redirect', 'rejected'],
	['refused400', 'rejected'],
	['falseWithoutId', 'rejected'],
	['sentAndFailed', 'rejected'],
];

// README, Top: a retry sends nothing twice, nor does a timeout
describe.each(TABLE)('a server that answers with %s', (name, outcome) => {
	const options = { timeout: 1, requestsPerMinute: 0 };

	it(`gets the message once, and the outcome is ${outcome}`, async () => {
		const { url } = await serverFailingFor(BAD, name);
		const { json, run } = await runNode({
			baseUrl: url,
			parameters: { ...SEND, options },
			items: ITEMS,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json[1]).toMatchObject({ error: { outcome, message: expect.any(String) } });
		const { remedy } = json[1].error as IDataObject;
		expect(String(remedy).includes('may have been sent')).toBe(outcome === 'unknown');
		expect(ITEMS.map(({ to }) => received(server as FaultServer, to))).toEqual([1, 1, 1, 1]);
		expect(JSON.stringify(run)).not.toContain(API_KEY);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'gets each message that it accepted once with Retry On Fail ×3 and %s',
		async (onError) => {
			const { url } = await serverFailingFor(ITEMS[0].to, name);
			await runNode({
				baseUrl: url,
				parameters: { ...SEND, options: { ...options, concurrency: 2 } },
				items: ITEMS,
				settings: { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
			});
			const counts = ITEMS.map(({ to }) => received(server as FaultServer, to));
			if (outcome === 'unknown') expect(counts[0]).toBe(1);
			expect(Math.max(...counts.slice(1))).toBe(1);
			if (onError !== 'stopWorkflow' || outcome === 'unknown') {
				expect(counts.slice(1)).toEqual([1, 1, 1]);
			}
		},
	);
});

it('closes the connection of an answer that it no longer waits for', async () => {
	let isClosed: () => void = () => undefined;
	const closed = new Promise<void>((resolve) => (isClosed = resolve));
	server = await startFaultServer(() => (socket) => {
		socket.on('close', isClosed);
		MISBEHAVIORS.dripsForever(socket);
	});
	const options = { timeout: 1, requestsPerMinute: 0 };
	const parameters = { ...SEND, options };
	const { error } = await runNode({ baseUrl: server.url, parameters, items: [ITEMS[0]] });
	expect(error?.message).toBe('The API did not answer in time [item 0]');
	await closed;
});

// README, Good to know: Retry On Fail sends only the rest
describe('Retry On Fail ×3', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const options = { requestsPerMinute: 0, concurrency: 1, timeout: 1 };
	/** Computed anew for each try, as a code or a time is. */
	const changing = {
		variablesInput: 'templateText',
		templateText: 'Your code is {{1}}.',
		variable1: '={{ Math.random() }}',
	};

	it('sends a message once whose variables change with each try', async () => {
		const { url } = await serverFailingFor(BAD, 'refused400');
		const parameters = { ...SEND, ...changing, options };
		const { error } = await runNode({ baseUrl: url, parameters, items: ITEMS, settings });
		expect(error?.message).toMatch(/ \[item 1\]$/);
		expect(ITEMS.map(({ to }) => received(server as FaultServer, to))).toEqual([1, 3, 0, 0]);
	});

	it('puts out what the customer reads, not what a later try computed', async () => {
		let tries = 0;
		server = await startFaultServer((_, body) =>
			body.includes(BAD) && ++tries < 3 ? MISBEHAVIORS.refused400 : MISBEHAVIORS.sent,
		);
		const parameters = { ...SEND, ...changing, options };
		const { json } = await runNode({ baseUrl: server.url, parameters, items: ITEMS, settings });
		const [first] = server.received.map(
			(body) => (JSON.parse(body) as { templateVariables: object }).templateVariables,
		);
		expect(json[0].preview).toBe(`Your code is ${Object.values(first)[0]}.`);
	});

	it('does not send again what may have been sent, whatever changes', async () => {
		const { url } = await serverFailingFor(BAD, 'neverAnswers');
		const parameters = { ...SEND, ...changing, options };
		const { error } = await runNode({ baseUrl: url, parameters, items: ITEMS, settings });
		expect(error?.description).toContain('may have been sent');
		expect(received(server as FaultServer, BAD)).toBe(1);
	});
});

it('what a server was not sent because it refuses connections is "notSent"', async () => {
	const { json } = await runNode({
		baseUrl: await closedAddress(),
		parameters: { ...SEND, options: { requestsPerMinute: 0 } },
		items: [ITEMS[0]],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(json[0].error).toMatchObject({
		outcome: 'notSent',
		retryable: true,
		message: expect.stringContaining('the connection was refused'),
	});
});

// README, Good to know: when nothing gets through
describe('a run of 40 items with "continue on error" ends', () => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const sheet = Array.from({ length: 40 }, (_, index) => ({ to: `+141555526${10 + index}` }));

	async function sendAll(behave: (requestNumber: number) => Misbehavior) {
		server = await startFaultServer(behave);
		const { failed } = await runNode({
			baseUrl: server.url,
			parameters: { ...SEND, options: { timeout: 1 } },
			items: sheet,
			settings,
		});
		const failures = failed.map(({ json }) => json.error as IDataObject);
		return { failures, requests: server.received.length };
	}

	it.each<[Name, string, string, RegExp]>([
		['plan403', 'rejected', "Your account's plan has no API access", /Scale and Enterprise/],
		['redirect', 'rejected', 'The API address redirects', /^Enter the address/],
		[
			'page200',
			'unknown',
			'A web page or proxy answered',
			/^Check the Base URL in the credential, .*\. This/,
		],
		[
			'captivePortal',
			'unknown',
			'A web page or proxy answered',
			/^Check the Base URL in the credential/,
		],
		[
			'page404',
			'rejected',
			'A web page or proxy answered',
			/^Check the Base URL in the credential/,
		],
		['error500WithBody', 'unknown', 'The API is not working', /^Try again later\..*"boom"/],
		['error503Page', 'unknown', 'The API is not working', /^Try again later/],
		['resetAfterSending', 'unknown', 'The connection to the API was closed', /^Try again later/],
		['idless200', 'unknown', 'The API accepted the request, but', /^Try again later/],
	])('after five that were answered with %s', async (name, outcome, message, remedy) => {
		const { failures, requests } = await sendAll(() => MISBEHAVIORS[name]);
		expect(requests).toBe(5);
		const outcomes = failures.map((failure) => failure.outcome);
		expect(outcomes.filter((each) => each === outcome)).toHaveLength(5);
		expect(outcomes.filter((each) => each === 'notSent')).toHaveLength(35);
		const untried = failures.filter(
			(failure) => failure.outcome === 'notSent' && /not tried, because/.test(`${failure.remedy}`),
		);
		expect(untried).toHaveLength(35);
		for (const failure of untried) {
			expect(failure.message).toEqual(expect.stringContaining(message));
			expect(failure.remedy).toMatch(remedy);
			expect(failure.remedy).not.toContain('may have been sent');
			expect(failure).not.toHaveProperty('messageId');
		}
	});

	it.each<[string, Name]>([
		['with a template that does not exist', 'falseWithoutId'],
		['to numbers that are wrong', 'refused400'],
	])('only after all of them when it sends %s', async (_, name) => {
		expect((await sendAll(() => MISBEHAVIORS[name])).requests).toBe(40);
	});

	it('only after all of them when one of five gets through', async () => {
		const { failures, requests } = await sendAll((number) =>
			number % 5 === 0 ? MISBEHAVIORS.sent : MISBEHAVIORS.error500WithBody,
		);
		expect([requests, failures.length]).toEqual([40, 32]);
	});

	it('in Get Status too, after five look-ups, each of which is tried four times', async () => {
		server = await startFaultServer(() => MISBEHAVIORS.error500WithBody);
		const { failed } = await runNode({
			baseUrl: server.url,
			parameters: { operation: 'getStatus', messageId: '={{ $json.to.slice(1) }}' },
			items: sheet,
			settings,
		});
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

// README, Send to a spreadsheet: Retry When Outcome Is Unknown
it('sends again after an unknown outcome only for those who prefer twice to never', async () => {
	const { url } = await serverFailingFor(BAD, 'resetAfterSending');
	await runNode({
		baseUrl: url,
		parameters: { ...SEND, options: { requestsPerMinute: 0, retryUnknownOutcome: true } },
		items: [ITEMS[1]],
		settings: { onError: 'continueRegularOutput' },
	});
	expect(received(server as FaultServer, BAD)).toBe(4);
});

// SECURITY, The API key: in no error
it('keeps the key out of the error that stops the execution', async () => {
	const { url } = await serverFailingFor(BAD, 'resetAfterSending');
	const { run, error } = await runNode({ baseUrl: url, parameters: SEND, items: ITEMS });
	expect(error).toBeDefined();
	expect(inspect(run, { depth: 20, showHidden: true })).not.toContain(API_KEY);
});

// README, Good to know: the error lists items and has the message IDs
it('says when it stops which messages were sent before, with their IDs', async () => {
	const { url } = await serverFailingFor(BAD, 'refused400');
	const { error } = await runNode({
		baseUrl: url,
		parameters: { ...SEND, options: { requestsPerMinute: 0, concurrency: 1 } },
		items: ITEMS,
	});
	expect(error?.message).toBe(
		'The recipient is not a valid number or is not on the messaging network [item 1]',
	);
	expect(error?.description).toContain('1 of 4 messages were sent: item 0. Retry in the list');
	expect(error?.context.data).toMatchObject({ messageIds: { 0: 'm1' } });
	expect(server?.received).toHaveLength(2);
});

it('requests the path below a base URL that has one', async () => {
	server = await startFaultServer(() => MISBEHAVIORS.sent);
	await runNode({ baseUrl: `${server.url}/v2/`, parameters: SEND, items: [ITEMS[0]] });
	expect(server.requestLines).toEqual(['POST /v2/api/integrations/messages/send HTTP/1.1']);
});

describe('the fallback category', () => {
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
				expect(error?.message).toBe(
					'The 24-hour service window of this customer is closed [item 0]',
				);
				expect(error?.description).toMatch(
					/^Check in your dashboard which category the template is approved for, and choose it as Category\. The API says: /,
				);
			},
		);

		it('the spending limit holds for the fallback category too', async () => {
			const { error } = await send({ ...AUTO, options: { spendingLimit: 0.5 } });
			expect(bodies()).toMatchObject([{ category: 'service' }]);
			expect(error?.message).toBe('The 24-hour service window of this customer is closed [item 0]');
			expect(error?.description).toMatch(
				/^It was not sent with Fallback Category, because the run/,
			);
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
			[
				'refused with success: false',
				answer('200 OK', '{"success":false,"error":{"code":131047}}'),
			],
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
});

describe('a second try', () => {
	const REFUSED = '+14155552670';
	const ITEMS = [REFUSED, '+14155552671', '+14155552672'].map((to) => ({ to }));

	let server: FaultServer;

	beforeEach(async () => {
		server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.refused400 : sentAs(`m${number}`),
		);
	});

	afterEach(async () => await server.close());

	/** An expression that gives something else in the second try, when the node's memory is there. */
	function later(first: string, second: string) {
		return `={{ $node["Node"].context.sentMessages ? ${second} : ${first} }}`;
	}

	/** Two tries with "continue on error", of which the first sends all but the first item. */
	async function twoTries(options: INodeParameters, changes: INodeParameters = {}) {
		return await runNode({
			baseUrl: server.url,
			parameters: {
				...SEND,
				...changes,
				options: { concurrency: 1, requestsPerMinute: 0, ...options },
			},
			items: ITEMS,
			settings: {
				onError: 'continueRegularOutput',
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 1,
			},
		});
	}

	const SENT_BEFORE = ['m1', 'm2'].map((id) => expect.objectContaining({ message_id: id }));

	// README, Good to know: Retry On Fail sends only the rest
	describe('what the first try sent keeps its result in a second one that', () => {
		it.each<[string, INodeParameters, string]>([
			[
				'is over the spending limit',
				{ spendingLimit: later('100', '0') },
				'Nothing more was sent.',
			],
			['has an option that is wrong', { concurrency: later('1', '"x"') }, 'enter a number'],
		])('%s', async (_, options, remedy) => {
			const { json } = await twoTries(options);
			expect(json).toEqual([
				{ error: expect.objectContaining({ remedy: expect.stringContaining(remedy) }) },
				...SENT_BEFORE,
			]);
			expect(server.received).toHaveLength(3);
		});

		it('cannot read the items any more', async () => {
			const { json } = await twoTries({}, { to: later('$json.to', '"call me"') });
			const error = expect.objectContaining({
				message: 'The recipient "call me" is not a phone number',
			});
			expect(json).toEqual([{ error }, ...SENT_BEFORE]);
		});
	});

	// SECURITY, Known limits: Spending Limit holds for one run of one node
	it.each([
		['leaves the second what it may still cost', '0.345', { message_id: 'm3' }],
		['is not spent once more', '0.344', { error: expect.objectContaining({ outcome: 'notSent' }) }],
	])('what the first try spent %s', async (_, limit, first) => {
		const { json } = await twoTries({ spendingLimit: later('100', limit) });
		expect(json).toEqual([expect.objectContaining(first), ...SENT_BEFORE]);
	});

	it('the memory is gone from an execution whose second try went well', async () => {
		const { run } = await twoTries({});
		expect(run.data.executionData?.contextData).toEqual({ 'node:Node': {} });
	});
});
