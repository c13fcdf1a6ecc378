import { withinBudget } from '../../../../../nodes/BusinessMessaging/actions/options/budget';
import { Spending } from '../../../../../nodes/BusinessMessaging/actions/options/spendingLimit';
import type {
	SendJob,
	Sending,
	Step,
} from '../../../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import {
	inLedger,
	ledgerEntryOf,
} from '../../../../../nodes/BusinessMessaging/actions/sendTemplate/steps/inLedger';
import { remembered } from '../../../../../nodes/BusinessMessaging/actions/sendTemplate/steps/remembered';
import { causeNamed } from '../../../../../nodes/BusinessMessaging/errors/catalogue';
import { failed, failureOf } from '../../../../../nodes/BusinessMessaging/errors/failure';
import { TIMED_OUT } from '../../../../support/scriptedClient.mts';
import { createVirtualClock } from '../../../../support/virtualClock.mts';

const TO = '+919876543210';
const MESSAGE = { to: TO, type: 'template', templateName: 'order_update', templateVariables: {} };
const job = (changes: object, message: object = {}) =>
	({ message: { ...MESSAGE, ...message }, dryRun: false, ...changes }) as unknown as SendJob;

// docs/after-a-crash.md: a Retry compares messages of one template to one number
it.each<[string, SendJob, 'the same' | 'another' | 'none']>([
	['with other values', job({}, { templateVariables: { 1: 'Asha' } }), 'the same'],
	['of another template', job({}, { templateName: 'news' }), 'another'],
	['to another number', job({}, { to: '+919876543211' }), 'another'],
	['that goes to a test recipient', job({ intendedTo: TO }, { to: '+12025550110' }), 'another'],
	['with a Send Once Key', job({ sendOnceKey: 'order-17' }), 'the same'],
	['of a dry run', job({ dryRun: true }), 'none'],
])('a message %s is %s', (_, other, expected) => {
	const kind = ledgerEntryOf(other)?.kind;
	const isSame = JSON.stringify(kind) === JSON.stringify([TO, 'order_update', false]);
	expect(kind === undefined ? 'none' : isSame ? 'the same' : 'another').toBe(expected);
});

it.each([
	['without a Send Once Key', {}, false],
	['with one', { sendOnceKey: 'order-17' }, true],
])('messages %s that differ in their values are equal: %p', (_, changes, isEqual) => {
	const contents = ['Asha', 'Ravi'].map((name) =>
		JSON.stringify(ledgerEntryOf(job(changes, { templateVariables: { 1: name } }))?.content),
	);
	expect(contents[0] === contents[1]).toBe(isEqual);
});

it('a message that was sent before a kill says to whom it was meant', () => {
	const test = job({ intendedTo: TO }, { to: '+12025550110' });
	expect(ledgerEntryOf(test)?.sentBefore.json).toMatchObject({ intendedTo: TO });
});

// docs/send-once.md: what was killed keeps its key
it.each([
	['without a key', {}, /start a new run for its row/],
	['with a key', { sendOnceKey: 'order-17' }, /with another key/],
])('a message %s that may have been sent before a kill says what to do', (_, changes, remedy) => {
	expect(ledgerEntryOf(job(changes))?.interrupted).toMatchObject({
		failure: { outcome: 'unknown', remedy: expect.stringMatching(remedy) },
	});
});

it('the row of a message that was not delivered says so', async () => {
	const free = jest.fn();
	const run = { ledger: { messageOf: () => MESSAGE, free } };
	const sending = { run, itemIndex: 0 } as unknown as Sending;
	await inLedger.policy(job({}))?.undo?.(sending, failed(TIMED_OUT));
	expect(free.mock.calls).toEqual([[MESSAGE]]);
});

describe('what another execution may have sent', () => {
	const INTERRUPTED = failed(failureOf(causeNamed('interrupted'), 'unknown'));

	async function send(step: Step, run: object, changes = {}) {
		const each = job({ categoryChoice: { category: 'utility' }, ...changes });
		const sending = { run, itemIndex: 0, job: each, lastChecks: [] } as unknown as Sending;
		for (const outcome of [INTERRUPTED, failed(TIMED_OUT)]) {
			await step.policy(each)?.send(async () => await Promise.resolve(outcome))(sending);
		}
	}

	it('is not remembered, because a later Retry may find out', async () => {
		const [remember, tell] = [jest.fn(), jest.fn()];
		await send(remembered, { retryMemory: { remember }, ledger: { tell } });
		expect(remember.mock.calls).toEqual([[0, failed(TIMED_OUT)]]);
		expect(tell.mock.calls).toEqual([[0]]);
	});

	it('takes nothing of a budget, where what may have gone now does', async () => {
		const settle = jest.fn();
		const periodBudget = { take: async () => await Promise.resolve({ settle }) };
		const spending = new Spending(Infinity);
		await send(
			withinBudget,
			{ periodBudget, spending, clock: createVirtualClock() },
			{ budget: {} },
		);
		expect(settle.mock.calls).toEqual([[0]]);
	});
});
