import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/operation';
import { codeOf } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/code';
import { sendAndWait } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/sendAndWait.operation';
import { networkFailure } from '../../../../nodes/BusinessMessaging/errors/networkErrors';
import type { Reply } from '../../../../nodes/BusinessMessaging/transport/client';
import { signing } from '../../../support/asked.ts';
import { noMemory } from '../../../support/emptyRetryMemory.ts';
import { withParameters } from '../../../support/parameters.ts';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const clock = createVirtualClock();
const HOUR = 3_600_000;
const SENT = { message_id: 'm1', status: 'sent' };

/** A node that asks "When?", and counts its questions. */
function asking(
	options: IDataObject = {},
	variables = ['[link]', '[link 2]'],
	question: IDataObject = TWO_ANSWERS,
): IExecuteFunctions {
	const memory = {};
	const parameters = {
		to: '+14155552671',
		templateName: 'appointment',
		category: 'utility',
		variablesInput: 'list',
		'variableList.variables': variables.map((value) => ({ value })),
		message: 'When?',
		...question,
		options,
		...Object.fromEntries(
			Object.entries(options).map(([name, value]) => [`options.${name}`, value]),
		),
	};
	return withParameters(parameters, {
		getTimezone: () => 'UTC',
		getNode: () => ({ type: 'businessMessaging' }),
		getContext: () => memory,
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n/?${String(new URLSearchParams(query))}`,
	}) as unknown as IExecuteFunctions;
}

const TWO_ANSWERS = {
	responseType: 'answers',
	'answers.values': [{ label: 'Today' }, { label: 'Tomorrow' }],
};

const read = (context: IExecuteFunctions) => sendAndWait.read(context, 0, clock.now());

const QUESTION = {
	kind: 'answers',
	text: 'When?',
	choices: ['Today', 'Tomorrow'],
	asksReason: false,
};

async function perform(options: IDataObject, reply?: Reply<unknown>) {
	const data = { data: SENT, answer: { status: 200, headers: {}, body: { data: SENT } } };
	const client = {
		call: async () => await Promise.resolve(reply ?? data),
		reserve: () => () => undefined,
		hasEnded: () => false,
	};
	const run = { ...noMemory, client, clock } as unknown as RunContext;
	return await sendAndWait.perform(read(asking(options)), 0, run);
}

it('the message has the links of its round, and nothing is waited for but the answer', () => {
	const context = asking({ waitFor: 'read', sendOnceKey: 'order-1', rawResponse: true });
	const job = read(context);
	expect(job).toMatchObject({
		message: {
			templateVariables: { 1: 'https://n8n/?round=1', 2: 'https://n8n/?round=1&choice=1' },
		},
		question: QUESTION,
		rawResponse: false,
		round: 1,
		limitMs: 24 * HOUR,
		isReview: false,
	});
	expect([job.wait, job.sendOnceKey]).toEqual([undefined, undefined]);
	expect(read(context).round).toBe(2);
	expect(sendAndWait.sends).toBe(true);
});

it('what was sent is asked until the time is over', async () => {
	expect(await perform({})).toMatchObject({
		json: SENT,
		asked: {
			round: 1,
			question: QUESTION,
			until: clock.now() + 24 * HOUR,
			message: SENT,
			isReview: false,
		},
	});
});

it('a dry run shows the question, and asks nothing', async () => {
	const result = await perform({ dryRun: true });
	expect(result).toMatchObject({ json: { question: QUESTION } });
	expect(result).not.toHaveProperty('asked');
});

it('what was not sent is not asked', async () => {
	const failure = networkFailure('connectionRefused', 'notSent');
	const result = await perform({}, { failure });
	expect(result).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(result).not.toHaveProperty('asked');
});

it.each([
	['[link]', 'round=1'],
	['[ Link ]', 'round=1'],
	['Answer: [link 1], [LINK2].', 'round=1&choice=0', 'round=1&choice=1'],
])('a variable "%s" gets its links', (value, ...links) => {
	const { message } = read(asking({}, ['Asha', value]));
	const filled = links.reduce(
		(text, link) => text.replace(/\[.*?\]/, `https://n8n/?${link}`),
		value,
	);
	expect(message.templateVariables).toEqual({ 1: 'Asha', 2: filled });
});

const ONE_ANSWER = { responseType: 'answers', 'answers.values': [{ label: 'Yes' }] };
const TWO = 'Write [link] for the page, or [link 1] to [link 2] for an answer.';
const FIELD = /^Write \[link\] into the field .* answer\.$/;

it.each<[string, IDataObject, string, string | RegExp]>([
	['[link 3]', TWO_ANSWERS, 'A variable has "[link 3]", but the question has 2 answers', TWO],
	['[link 0]', TWO_ANSWERS, 'the question has 2 answers', TWO],
	['[link 2]', ONE_ANSWER, 'the question has one answer', /to \[link 1\]/],
	['[link 1]', { responseType: 'freeText' }, 'no answers to choose', 'Write [link] for the page.'],
	['[links] link', TWO_ANSWERS, 'No variable has the link', FIELD],
])('a variable "%s" is refused', (value, question, sentence, remedy) => {
	expect(() => read(asking({}, [value], question))).toThrow(
		expect.objectContaining({
			name: 'InputError',
			message: expect.stringContaining(sentence),
			remedy: typeof remedy === 'string' ? remedy : expect.stringMatching(remedy),
		}),
	);
});

it('a template without variables is refused', () => {
	expect(() => read(asking({}, [], { ...TWO_ANSWERS, variablesInput: 'none' }))).toThrow(
		'No variable has the link',
	);
});

it('the preview has the links as well', () => {
	const text = {
		...TWO_ANSWERS,
		variablesInput: 'templateText',
		templateText: 'Open {{1}}',
		variable1: '[link]',
	};
	expect(read(asking({ dryRun: true }, [], text)).preview).toBe('Open https://n8n/?round=1');
});

describe('a variable "[code]"', () => {
	const TEXT = {
		...TWO_ANSWERS,
		variablesInput: 'templateText',
		templateText: 'Open {{1}} with {{2}}',
		variable1: '[link]',
		variable2: '[Code]',
	};
	const withCode = (options: IDataObject = {}) =>
		read(Object.assign(asking(options, [], TEXT), signing()));

	it('is the code of the round for the customer only', () => {
		const { message, knownBy, preview, question } = withCode();
		expect(message.templateVariables).toMatchObject({ 2: codeOf(signing(), 1) });
		expect(knownBy?.templateVariables).toMatchObject({ 2: '[Code]' });
		expect(preview).toMatch(/^Open https:\/\/.* with \[Code\]$/);
		expect(question.asksCode).toBe(true);
	});

	it('stays as it is in a dry run', () => {
		const { message } = withCode({ dryRun: true });
		expect(message.templateVariables).toMatchObject({ 2: '[Code]' });
	});

	it('is the only reason to ask for one', () => {
		const { question } = read(Object.assign(asking({}, ['[link]', 'code']), signing()));
		expect(question).not.toHaveProperty('asksCode');
	});
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

	it.each<[string, Parameters<typeof check>, string, string]>([
		['two items', [NODE, 2], 'one question at a time, but there are 2 items', 'Loop Over Items'],
		['an agent', ['businessMessagingTool', 1], "can't be a tool of an AI agent", 'Human review'],
		['an n8n that signs no links', [NODE, 1, {}], 'This n8n is too old', 'Update n8n.'],
		[
			"n8n's engine v2",
			[NODE, 1, SIGNS, '01a205a4-7c32-72c4-8490-177ceebd57d8'],
			"n8n's engine v2 can't wait for an answer, so the question was not sent",
			'Remove engineType',
		],
	])('of %s is refused', (_, run, sentence, remedy) => {
		expect(() => check(...run)).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(sentence),
				remedy: expect.stringContaining(remedy),
			}),
		);
	});
});
