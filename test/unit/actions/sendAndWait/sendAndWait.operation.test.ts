import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/operation';
import { sendAndWait } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/sendAndWait.operation';
import { networkFailure } from '../../../../nodes/BusinessMessaging/errors/networkErrors';
import { noMemory } from '../../../support/emptyRetryMemory.ts';
import { withParameters } from '../../../support/parameters.ts';
import { refusal } from '../../../support/refusal.ts';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const clock = createVirtualClock();
const DAY = 24 * 3_600_000;
const SENT = { message_id: 'm1', status: 'sent' };
const QUESTION = {
	kind: 'answers',
	text: 'When?',
	choices: ['Today', 'Tomorrow'],
	asksReason: false,
};

const list = (...values: string[]) => ({
	variablesInput: 'list',
	'variableList.variables': values.map((value) => ({ value })),
});
const choices = (...labels: string[]) => ({
	responseType: 'answers',
	'answers.values': labels.map((label) => ({ label })),
});

/** A node that asks "When?", and counts its questions. */
function asking(parameters: IDataObject = {}): IExecuteFunctions {
	const memory = {};
	const given = {
		...{ to: '+14155552671', templateName: 'appointment', category: 'utility', message: 'When?' },
		...list('[link]', '[link 2]'),
		...choices(...QUESTION.choices),
		...parameters,
	};
	return withParameters(given, {
		getTimezone: () => 'UTC',
		getNode: () => ({ type: 'businessMessaging' }),
		getContext: () => memory,
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n/?${String(new URLSearchParams(query))}`,
	});
}

const read = (context: IExecuteFunctions) => sendAndWait.read(context, 0, clock.now());

async function perform(options: IDataObject, reply: object) {
	const client = { call: async () => await Promise.resolve(reply), reserve: () => () => undefined };
	const run = { ...noMemory, client, clock } as unknown as RunContext;
	return await sendAndWait.perform(read(asking({ options })), 0, run);
}

it('the message has the links of its round, and nothing is waited for but the answer', () => {
	const options = { waitFor: 'read', sendOnceKey: 'order-1', rawResponse: true };
	const context = asking({ options, 'options.sendOnceKey': 'order-1' });
	const job = read(context);
	expect(job).toMatchObject({
		message: {
			templateVariables: { 1: 'https://n8n/?round=1', 2: 'https://n8n/?round=1&choice=1' },
		},
		...{ question: QUESTION, rawResponse: false, round: 1, limitMs: DAY, isReview: false },
	});
	expect([job.wait, job.sendOnceKey]).toEqual([undefined, undefined]);
	expect(read(context).round).toBe(2);
	expect(sendAndWait.sends).toBe(true);
});

it('what was sent is asked until the time is over, and what was not sent is not', async () => {
	const until = clock.now() + DAY;
	expect(await perform({}, { data: SENT })).toMatchObject({
		json: SENT,
		asked: { round: 1, question: QUESTION, until, message: SENT, isReview: false },
	});
	const result = await perform({}, { failure: networkFailure('connectionRefused', 'notSent') });
	expect(result).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(result).not.toHaveProperty('asked');
});

it('a dry run shows the question, and asks nothing', async () => {
	const result = await perform({ dryRun: true }, {});
	expect(result).toMatchObject({ json: { question: QUESTION } });
	expect(result).not.toHaveProperty('asked');
});

it.each([
	['[ Link ]', 'https://n8n/?round=1'],
	[
		'Answer: [link 1], [LINK2].',
		'Answer: https://n8n/?round=1&choice=0, https://n8n/?round=1&choice=1.',
	],
])('a variable "%s" gets its links, as the preview does', (value, filled) => {
	const text = { variablesInput: 'templateText', templateText: '{{1}} {{2}}', variable1: 'Asha' };
	const { message, preview } = read(asking({ ...text, variable2: value }));
	expect(message.templateVariables).toEqual({ 1: 'Asha', 2: filled });
	expect(preview).toBe(`Asha ${filled}`);
});

it.each<[IDataObject, RegExp]>([
	[
		list('[link 3]'),
		/^A variable has "\[link 3]", but the question has 2 answers\. Write \[link] for the page, or \[link 1] to \[link 2] for an answer\.$/,
	],
	[list('[link 0]'), /^A variable has "\[link 0]"/],
	[{ ...list('[link 2]'), ...choices('Yes') }, /has one answer\. .* to \[link 1] for/],
	[
		{ ...list('[link 1]'), responseType: 'freeText' },
		/has no answers to choose from\. Write \[link] for the page\.$/,
	],
	[
		list('[links] link'),
		/^No variable has the link to the question\. Write \[link] into the field/,
	],
	[{ variablesInput: 'none' }, /^No variable has the link to the question/],
])('a message with %j is refused', (parameters, sentences) => {
	expect(refusal(() => read(asking(parameters)))).toMatch(sentences);
});

describe('a run', () => {
	const NODE = 'businessMessaging';
	const SIGNS = { getSignedResumeUrl: () => '' };
	const check = (type: string, items: number, more: object = SIGNS, executionId = '7') =>
		sendAndWait.checkRun?.({
			...more,
			getExecutionId: () => executionId,
			getNode: () => ({ type }),
			getMode: () => 'trigger',
			getInputData: () => Array(items).fill({ json: {} }),
		} as unknown as IExecuteFunctions);

	it.each([NODE, 'businessMessagingHitlTool'])('of %s asks for one item', (type) => {
		expect(() => check(type, 1)).not.toThrow();
	});

	it.each<[RegExp, Parameters<typeof check>]>([
		[/one question at a time, but there are 2 items\. .*Loop Over Items/, [NODE, 2]],
		[/can't be a tool of an AI agent\. .*Human review/, ['businessMessagingTool', 1]],
		[/^This n8n is too old.*\. Update n8n\.$/, [NODE, 1, {}]],
		[
			/^n8n's engine v2 can't wait for an answer, so the question was not sent\. Remove engineType/,
			[NODE, 1, SIGNS, '01a205a4-7c32-72c4-8490-177ceebd57d8'],
		],
	])('is refused: %s', (sentences, run) => {
		expect(refusal(() => check(...run))).toMatch(sentences);
	});
});
