import type { INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../nodes/BusinessMessaging/clock';
import { FAILS } from '../../playground/api/wellKnown.mts';
import type { systemClock as FastClock } from '../support/fastClock.mts';
import { MISBEHAVIORS, answer } from '../support/faultServer.mts';
import { rememberingAccount } from '../support/localAccount.mts';
import { RETRY, shown } from '../support/runNode.mts';
import { customersOf } from '../support/sendOnceSheet.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

const clock = systemClock as typeof FastClock;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { api, memory, send } = rememberingAccount();

const message = expect.objectContaining({ message_id: expect.any(String) });
const before = expect.objectContaining({ sentBefore: true });
const asRows = (numbers: string[]) => numbers.map((to) => ({ to }));
const skippedBy = (skipped: string, to = '+14155552671') => ({
	skipped,
	to,
	sendAfter: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
});

/** Hours in UTC, in minutes from now. */
function hoursFromNow(from: number, until: number) {
	const at = (minutes: number) =>
		new Date(clock.now() + minutes * MINUTE_MS).toISOString().slice(11, 16);
	const hours = { from: at(from), until: at(until), timeZone: 'other', otherTimeZone: 'UTC' };
	return { sendBetween: { hours } };
}

const OPEN = () => hoursFromNow(-60, 60);
const CLOSED = () => hoursFromNow(60, 120);

/** Sends a message for which the API wants a pause of ten minutes first. */
async function sendAfterPause(options: INodeParameters) {
	const behave = (number: number) => {
		clock.pass(10 * MINUTE_MS);
		return number === 0 ? answer('429 Too Many Requests', '{}') : MISBEHAVIORS.sent;
	};
	const { json, received } = await send([{}], options, {}, { behave });
	expect(received).toHaveLength(1);
	return json;
}

describe('Send Between', () => {
	// docs/sending.md: a campaign that reaches the evening
	it('a campaign of 300 rows that reaches the evening stops there, and says until when', async () => {
		const options = { ...hoursFromNow(-60, 3), requestsPerMinute: 60 };
		const startedAt = clock.now();
		const { json, hints } = await send(asRows(customersOf(300)), options);
		const sent = json.filter(({ message_id }) => message_id);
		const skipped = json.filter((item) => item.skipped === 'quietHours');
		expect(sent.length + skipped.length).toBe(300);
		expect(api().messages.size).toBe(sent.length);
		// 60 a minute for two to three minutes.
		expect(sent.length).toBeGreaterThan(2 * 60 - 10);
		expect(sent.length).toBeLessThan(4 * 60);
		expect(clock.now() - startedAt).toBeLessThan(4 * MINUTE_MS);
		const ends = new Set(skipped.map(({ sendAfter }) => String(sendAfter)));
		const [opensAt] = [...ends].map((end) => Date.parse(end));
		expect(ends.size).toBe(1);
		expect(Math.abs(opensAt - startedAt - 23 * HOUR_MS)).toBeLessThan(2 * MINUTE_MS);
		expect(hints.join()).toContain(
			`${skipped.length} skipped: outside the hours of Send Between, until `,
		);

		clock.pass(opensAt - clock.now());
		const next = await send(asRows(skipped.map(({ to }) => String(to))), options);
		expect(next.json).toEqual(skipped.map(() => message));
	});

	it('outside the hours nothing is sent, reserved or remembered, and the rest of the run goes on', async () => {
		const items = [{ category: 'marketing' }, { category: 'authentication' }];
		const category = '={{ $json.category }}';
		const options = { ...CLOSED(), sendOnceKey: category, spendingLimit: 1 };
		const { json } = await send(items, options, { category });
		expect(json).toEqual([skippedBy('quietHours'), message]);
		const again = await send(items, { ...options, ...OPEN() }, { category });
		expect(again.json).toEqual([message, before]);
	});

	it('a message whose turn comes after the end is not sent, and gives back its key and price', async () => {
		const options = { ...hoursFromNow(-60, 5), sendOnceKey: 'held-up', spendingLimit: 0.2 };
		expect(await sendAfterPause(options)).toEqual([skippedBy('quietHours')]);
		const again = await send([{}], { ...options, ...OPEN() });
		expect(again.json).toEqual([message]);
	});

	it('a dry run outside the hours shows the text and the price, and until when it would be skipped', async () => {
		const text = { variablesInput: 'templateText', templateText: 'Hi {{1}}', variable1: 'Asha' };
		const { json, hints } = await send([{}], { ...CLOSED(), dryRun: true }, text);
		expect(json).toEqual([{ ...shown('quietHours'), preview: 'Hi Asha' }]);
		expect(hints.join()).toMatch(
			/^Dry run: nothing was sent\. 1 would be skipped: outside the hours of Send Between, until \w{3} \d+ \w{3} \d{4}, \d\d:\d\d [\w/]+\. To send,/,
		);
	});
});

// In a dry run, too: it shows what a run would do.
it.each([true, false])('who is held back keeps no key: dry run %s', async (dryRun) => {
	const sendUntil = { time: { end: 'dateTime', dateTime: '={{ $json.until }}' } };
	const rows = [{ until: '2026-01-31T20:00' }, { until: '2036-01-31T20:00' }];
	const { json } = await send(rows, { dryRun, sendOnceKey: 'k', sendUntil, spendingLimit: 0.2 });
	const late = { skipped: 'tooLate', to: '+14155552671' };
	expect(json).toEqual(dryRun ? [shown('tooLate'), shown()] : [late, message]);
});

// docs/sending.md: a number in the list gets nothing, however it is spelled
it('who is in the list is skipped and costs nothing, also in a dry run, and keeps no key', async () => {
	const [first, second, third] = customersOf(3);
	const rows = asRows([first, second, second.replace('+1', '+1-'), third]);
	const key = { sendOnceKey: '=offer to {{ $json.to }}' };
	const doNotSendTo = `${second.replace('+1', '001 (')})\n${third}`;
	const options = { ...key, doNotSendTo, spendingLimit: 0.2 };
	const skipped = [second, second, third];
	const dryRun = await send(rows, { ...options, dryRun: true });
	const wouldBe = skipped.map((to) => shown('optedOut', to));
	expect(dryRun.json).toEqual([shown(undefined, first), ...wouldBe]);
	expect(dryRun.hints.join()).toContain(
		'1 message would cost about INR 0.115. 3 would be skipped: in the list of Do Not Send To.',
	);
	const { json, hints } = await send(rows, options);
	expect(json).toEqual([message, ...skipped.map((to) => ({ skipped: 'optedOut', to }))]);
	expect(hints.join()).toContain(
		'3 skipped: in the list of Do Not Send To. The list of Do Not Send To has 2 numbers.',
	);
	expect(api().messages.size).toBe(1);
	expect((await send(rows, key)).json).toEqual([before, message, message, message]);
});

describe('Send Until', () => {
	const inMinutes = (minutes: number) => ({ sendUntil: { time: { end: 'minutes', minutes } } });
	const skipped = (to: string) => ({ skipped: 'tooLate', to });

	// docs/sending.md: what waits for the rate limit
	it('what is not sent within the minutes is skipped when they are over, and gives back its key', async () => {
		const customers = customersOf(150);
		const startedAt = clock.now();
		const options = { ...inMinutes(1.5), requestsPerMinute: 60, sendOnceKey: '={{ $json.to }}' };
		const { json, hints } = await send(asRows(customers), options);
		const left = json.filter((item) => item.skipped).map(({ to }) => String(to));
		expect(left.length).toBeGreaterThanOrEqual(30);
		expect(left.length).toBeLessThanOrEqual(70);
		expect(json.at(-1)).toEqual(skipped(customers[149]));
		// The rate limit is looked at twice a second.
		expect(clock.now() - startedAt).toBeLessThanOrEqual(1.5 * MINUTE_MS + 500);
		expect(hints.join()).toContain(`${left.length} skipped: after the time of Send Until.`);
		const { json: later } = await send(asRows(left), { sendOnceKey: '={{ $json.to }}' });
		expect(later).toEqual(left.map(() => message));
	});

	it('a message whose time ends during a pause of the API is not sent', async () => {
		expect(await sendAfterPause(inMinutes(5))).toEqual([skipped('+14155552671')]);
		const startedAt = clock.now();
		const behave = () => answer('429 Too Many Requests', '{}', ['retry-after: 90']);
		const { json } = await send([{}], inMinutes(1), {}, { behave });
		expect(json).toEqual([skipped('+14155552671')]);
		expect(clock.now() - startedAt).toBeLessThanOrEqual(MINUTE_MS + 500);
	});
});

describe('Frequency Cap', () => {
	const cap = (messages = 1, name = 'marketing') => ({
		frequencyCap: { cap: { messages, period: 24, unit: 'hours', name } },
	});

	// docs/sending.md: at most so many messages
	it('a further message to a number is skipped, in the same run and in the next, until the period is over', async () => {
		const rows = asRows(['+14155552671', '+14155552672', '+14155552671']);
		const { json, hints } = await send(rows, { ...cap(), concurrency: 1 });
		expect(json).toEqual([message, message, skippedBy('sentRecently')]);
		expect(hints.join()).toContain(
			'1 skipped: too soon after another message to the number, until ',
		);
		const [{ sendAfter }] = (await send([{}], cap())).json;
		expect(json[2].sendAfter).toBe(sendAfter);
		clock.pass(Date.parse(String(sendAfter)) - clock.now());
		expect((await send([{}], cap())).json).toEqual([message]);
	});

	// docs/sending.md: a period from a minute
	it('a period of a minute is no shorter than the wait for the rate limit', async () => {
		const frequencyCap = { cap: { messages: 1, period: 1, unit: 'minutes' } };
		const rows = asRows(customersOf(150));
		const { json } = await send(rows, { frequencyCap, timeout: 30, requestsPerMinute: 60 });
		expect(json).toEqual(rows.map(() => message));
	});

	// docs/send-once.md: not sent, refused or not delivered
	it.each<[string, string, INodeParameters]>([
		['was refused', '+12025550126', {}],
		['could not be delivered', FAILS, { waitFor: 'delivered' }],
	])('a message that %s does not count, and can be sent again with its key', async (...row) => {
		const [, to, options] = row;
		for (let run = 0; run < 2; run++) {
			const { json } = await send([{ to }], { ...cap(), sendOnceKey: 'k', ...options });
			expect(json).toEqual([{ error: expect.objectContaining({ outcome: 'rejected' }) }]);
		}
	});

	it('a message of unknown outcome counts, and a retry of its run does not call it skipped', async () => {
		const run = { behave: () => MISBEHAVIORS.error500Empty, settings: RETRY };
		const { error, received } = await send([{}], cap(), {}, run);
		expect(error?.context.data).toMatchObject({ outcome: 'unknown', httpStatus: 500 });
		expect(received).toHaveLength(1);
		const { json, hints } = await send([{}, {}], cap());
		expect(json).toEqual(Array(2).fill({ ...skippedBy('sentRecently'), earlier: 'unknown' }));
		expect(hints.join()).toContain(
			'2 skipped: too soon after a message that may have been sent, until ',
		);
	});

	it('a dry run looks, and records nothing', async () => {
		await send([{}], cap());
		const before = structuredClone(memory().rows);
		const rows = asRows(['+14155552671', '+14155552672', '+14155552672']);
		const { json } = await send(rows, { ...cap(), dryRun: true });
		expect(json).toEqual([
			shown('sentRecently'),
			shown(undefined, '+14155552672'),
			shown('sentRecently', '+14155552672'),
		]);
		expect(memory().rows).toEqual(before);
	});

	it('nothing is sent when the database does not answer', async () => {
		memory().fail('no database');
		const { error } = await send([{}, {}], cap(), {}, { settings: {} });
		expect(error?.message).toContain("The memory of sent messages can't be used: no database");
		expect(api().messages.size).toBe(0);
	});
});

// docs/sending.md: a budget
describe('Budget', () => {
	const budget = (amount: number, rest: object = {}) => ({
		budget: { budget: { amount, period: 'day', ...rest } },
	});
	const overBudget = { error: expect.objectContaining({ code: 'overBudget', outcome: 'notSent' }) };

	it('holds for all runs of a day, whatever runs beside each other, and a dry run shows what is left', async () => {
		const rows = asRows(customersOf(10));
		const both = await Promise.all([send(rows, budget(1.5)), send(rows, budget(1.5))]);
		const outputs = both.flatMap(({ json }) => json);
		// Twelve of INR 0.12.
		expect(outputs.filter(({ message_id: id }) => id)).toHaveLength(12);
		expect(outputs.filter(({ error }) => error)).toEqual(Array(8).fill(overBudget));
		expect(api().messages.size).toBe(12);
		const { json } = await send(rows.slice(0, 2), { ...budget(1.8), dryRun: true });
		expect(json.map(({ budgetLeft }) => budgetLeft)).toEqual(
			[0.24, 0.12].map((amount) => ({ amount, currency: 'INR' })),
		);
		clock.pass(24 * HOUR_MS);
		expect((await send([{}], budget(1.5))).json).toEqual([message]);
	});

	it('counts people, over all nodes with its name', async () => {
		const few = budget(10, { people: 2, name: 'agents' });
		const { json } = await send(asRows(customersOf(3)), { ...few, concurrency: 1 });
		expect(json).toEqual([
			message,
			message,
			{ error: expect.objectContaining({ code: 'tooManyPeople' }) },
		]);
		expect((await send(asRows(customersOf(2)), few)).json).toEqual([message, message]);
	});
});

// docs/sending.md: Spending Limit
it('messages beyond the cap of a number do not count in the estimate', async () => {
	const frequencyCap = { cap: { messages: 8, period: 1, unit: 'days' } };
	const rows = Array.from({ length: 50 }, () => ({}));
	const { json } = await send(rows, { frequencyCap, spendingLimit: 1 });
	expect(json.filter(({ skipped }) => skipped)).toHaveLength(42);
	expect(api().messages.size).toBe(8);
});

// docs/good-to-know.md: Retry On Fail sends only the rest
it('a message that was not delivered stops its own try only: the next one sends the rest', async () => {
	const rows = asRows([FAILS, ...customersOf(69)]);
	const options = { waitFor: 'delivered', requestsPerMinute: 60, concurrency: 1 };
	const { error } = await send(rows, options, {}, { settings: RETRY });
	expect(error?.message).toContain('could not be delivered');
	expect(api().messages.size).toBe(70);
});
