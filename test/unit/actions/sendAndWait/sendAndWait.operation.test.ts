import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Session } from '../../../../nodes/BusinessMessaging/actions/operation';
import { sendAndWait } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/sendAndWait.operation';
import { failureFromFault } from '../../../../nodes/BusinessMessaging/errors/failure';
import type { Reply } from '../../../../nodes/BusinessMessaging/transport/client';
import { noMemory } from '../../../support/noneSentBefore.ts';
import { withParameters } from '../../../support/parameters.ts';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const clock = createVirtualClock();
const HOUR = 3_600_000;
const SENT = { message_id: 'm1', status: 'sent' };

/** A node that asks "When?", and counts its questions. */
function asking(options: IDataObject = {}, variables = ['[link]', '[link 2]']): IExecuteFunctions {
	const memory = {};
	const parameters = {
		to: '+14155552671',
		templateName: 'appointment',
		category: 'utility',
		variablesInput: 'list',
		'variableList.variables': variables.map((value) => ({ value })),
		message: 'When?',
		responseType: 'answers',
		'answers.values': [{ label: 'Today' }, { label: 'Tomorrow' }],
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
		owe: () => () => undefined,
		hasEnded: () => false,
	};
	const session = { ...noMemory, client, clock } as unknown as Session;
	return await sendAndWait.perform(read(asking(options)), 0, session);
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
	expect(sendAndWait.purpose).toBe('send');
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
	const failure = failureFromFault({ kind: 'refused', beforeSending: true }, 'send');
	const result = await perform({}, { failure });
	expect(result).toMatchObject({ failure: { outcome: 'notSent' } });
	expect(result).not.toHaveProperty('asked');
});
