import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	noteTestRun,
	readTestRecipient,
} from '../../../../nodes/BusinessMessaging/actions/run/testRecipient';
import { withParameters } from '../../../support/parameters.ts';

const NUMBER = '+14155552671';
let memory: IContextObject;

beforeEach(() => {
	memory = {};
});

/** As n8n tells of an execution. */
interface Told {
	mode: string;
	source?: string;
	rootExecutionMode?: string;
}

function contextOf({ mode, source, rootExecutionMode }: Told, options: IDataObject = {}) {
	const values = { testRecipient: NUMBER, ...options };
	const byPath = Object.entries(values).map(([name, value]) => [`options.${name}`, value]);
	return withParameters(Object.fromEntries(byPath), {
		getMode: () => mode,
		getExecutionContext: () => ({ source }),
		getContext: () => memory,
		additionalData: { rootExecutionMode },
	});
}

describe('a run by hand is', () => {
	it.each<[string, Told]>([
		['one in the editor', { mode: 'manual', source: 'manual' }],
		['an evaluation', { mode: 'evaluation' }],
		['Retry of one in the editor', { mode: 'retry', source: 'manual' }],
		['a sub-workflow that one calls', { mode: 'integrated', rootExecutionMode: 'manual' }],
	])('%s', (_, told) => {
		expect(readTestRecipient(contextOf(told))).toBe(NUMBER);
	});

	it('Retry of one in an n8n that does not tell what it repeats', () => {
		expect(noteTestRun(contextOf({ mode: 'manual' }))).toBe(true);
		expect(readTestRecipient(contextOf({ mode: 'retry' }))).toBe(NUMBER);
	});

	it('no other', () => {
		const modes = ['webhook', 'trigger', 'retry', 'integrated', 'cli', 'error', 'chat', 'internal'];
		for (const mode of modes) {
			const context = contextOf({ mode, source: mode, rootExecutionMode: 'webhook' });
			expect(noteTestRun(context)).toBe(false);
			expect(readTestRecipient(context)).toBeUndefined();
		}
		expect(memory).toEqual({});
	});

	it('also one in an n8n that tells nothing but the mode', () => {
		const context = { ...contextOf({ mode: 'manual' }), additionalData: undefined };
		const old = { ...context, getExecutionContext: undefined } as unknown as IExecuteFunctions;
		expect(readTestRecipient(old)).toBe(NUMBER);
		const told = { ...context, getExecutionContext: () => undefined };
		expect(readTestRecipient(told)).toBe(NUMBER);
	});
});

it('a run is a test whatever its expression gives, even when it fails', () => {
	const context = contextOf({ mode: 'manual' });
	const getNodeParameter = (_: string, __: number, ___: unknown, options?: IDataObject) => {
		if (!options?.rawExpressions) throw new Error('invalid syntax');
		return '={{ x }}';
	};
	expect(noteTestRun({ ...context, getNodeParameter } as IExecuteFunctions)).toBe(true);
});

it('the test recipient is read with the default country', () => {
	const options = { testRecipient: '98765 43210', defaultCountry: 'IN' };
	expect(readTestRecipient(contextOf({ mode: 'manual' }, options))).toBe('+919876543210');
});

it.each([
	['call me', 'The test recipient "call me" is not a phone number'],
	['', 'The test recipient is empty'],
	[[], 'The test recipient is not a phone number but a list'],
	['[object Object]', 'The test recipient has [object Object] in its text'],
	[1.5, 'The test recipient "1.5" is a number that lost digits or is not whole'],
	['9.19E+11', 'The test recipient "9.19E+11" is in scientific notation and lost digits'],
])('a test recipient that is no number (%j) is refused by name', (testRecipient, message) => {
	const context = contextOf({ mode: 'manual' }, { testRecipient });
	expect(() => readTestRecipient(context)).toThrow(
		expect.objectContaining({
			message,
			remedy: expect.stringMatching(/It is Test Recipient under Options, of the first item\.$/),
		}),
	);
	memory = {};
	expect(readTestRecipient(contextOf({ mode: 'webhook' }, { testRecipient }))).toBeUndefined();
});
