import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../../../nodes/BusinessMessaging/actions/operation';
import { planRun } from '../../../../nodes/BusinessMessaging/actions/run/plan';
import { asInputError, readItems } from '../../../../nodes/BusinessMessaging/actions/run/readItems';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { noneSentBefore } from '../../../support/noneSentBefore.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtualClock.ts';

const ITEMS = 20;
const READING_MS = 10;
const OPTIONS = { concurrency: 1, spendingLimit: Infinity };
const CONNECTION = { baseUrl: 'https://api.example.com', apiKey: 'key' };

let clock: VirtualClock;
let canceled: AbortController;
let sleep: jest.SpyInstance;

beforeEach(() => {
	clock = createVirtualClock();
	canceled = new AbortController();
	sleep = jest.spyOn(clock, 'sleep').mockImplementation(async () => undefined);
});

const context = {
	getInputData: () => Array.from({ length: ITEMS }, () => ({ json: {} })),
	getExecutionCancelSignal: () => canceled.signal,
} as unknown as IExecuteFunctions;

function readingIn(ms: number): Operation<unknown> {
	const read = (_: unknown, itemIndex: number) => {
		clock.pass(ms);
		return itemIndex;
	};
	return { read } as unknown as Operation<unknown>;
}

it('a run reads every item, in their order', async () => {
	const readings = await readItems(
		context,
		readingIn(READING_MS),
		OPTIONS,
		() => CONNECTION,
		clock,
	);
	expect(readings).toEqual(
		Array.from({ length: ITEMS }, (_, job) => ({ job, connection: CONNECTION })),
	);
});

it('reading gives n8n a turn every 50 ms', async () => {
	await readItems(context, readingIn(READING_MS), OPTIONS, () => CONNECTION, clock);
	expect(sleep.mock.calls).toEqual([[0], [0], [0], [0]]);
});

it('reading gives n8n no turn that it does not need', async () => {
	await readItems(context, readingIn(1), OPTIONS, () => CONNECTION, clock);
	expect(sleep).not.toHaveBeenCalled();
});

it('reading stops when the execution was canceled in such a turn', async () => {
	sleep.mockImplementationOnce(async () => canceled.abort());
	expect(
		await readItems(context, readingIn(READING_MS), OPTIONS, () => CONNECTION, clock),
	).toHaveLength(5);
});

it('a run that was canceled while it read starts nothing', async () => {
	sleep.mockImplementationOnce(async () => canceled.abort());
	const withOptions = {
		...context,
		getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
		getNode: () => ({}),
		getCredentials: async () => await Promise.resolve(CONNECTION),
	} as unknown as IExecuteFunctions;
	const reading = readingIn(READING_MS);
	expect(await planRun(withOptions, reading, noneSentBefore, 'customers', clock)).toEqual({
		...notStarted('status'),
	});
});

it('a run reads to the end in an n8n that tells nothing of a cancellation', async () => {
	const untold = { ...context, getExecutionCancelSignal: () => undefined };
	const readings = await readItems(
		untold as IExecuteFunctions,
		readingIn(READING_MS),
		OPTIONS,
		() => CONNECTION,
		clock,
	);
	expect(readings).toHaveLength(ITEMS);
});

describe('what n8n throws while it reads a node', () => {
	const CHECK = 'Check the expressions of this node.';

	it.each<[object, string, string]>([
		[new InputError('The recipient is empty', 'Enter it.'), 'The recipient is empty', 'Enter it.'],
		[new Error('x is not defined'), 'x is not defined', CHECK],
		[{ message: 'no node', description: 'Connect it.' }, 'no node', 'Connect it.'],
		[{ message: 'no node', description: null }, 'no node', CHECK],
		[{ message: 'no node', description: '' }, 'no node', CHECK],
		[{ message: 'no node', description: 7 }, 'no node', CHECK],
		[{ message: '' }, 'A parameter could not be read', CHECK],
		[{ message: 7 }, 'A parameter could not be read', CHECK],
		[{}, 'A parameter could not be read', CHECK],
		[
			new Error('Node does not have any credentials set for "x"'),
			'No credential is chosen',
			'Choose a credential at the top of the node.',
		],
		[
			new Error('Credential with ID "7" does not exist for type "x".'),
			'The chosen credential does not exist',
			'Choose a credential at the top of the node.',
		],
	])('%j is an input error', (thrown, message, remedy) => {
		expect(asInputError(thrown)).toMatchObject({ name: 'InputError', message, remedy });
	});

	it.each([
		['no node', "The expression in To can't be computed: no node"],
		['', "The expression in To can't be computed"],
	])('with the message "%s" is about its field', (message, whole) => {
		expect(asInputError({ message }, 'To')).toMatchObject({
			message: whole,
			remedy: 'Check the expression in this field.',
		});
	});
});
