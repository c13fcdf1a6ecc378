import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { askingInEachTest } from '../../support/askedWorkflow.ts';
import { answer, look } from '../../support/questionPage.ts';

const { asking } = askingInEachTest();

const message = expect.objectContaining({ status: 'sent', template_name: 'delivery_question' });
const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/);

const ANSWERS = { values: [{ label: 'On Friday' }, { label: 'On Monday' }, { label: 'Never' }] };

// docs/ask-and-wait.md: the workflow goes on with the answer
test('a customer opens the link and presses a button, and the workflow goes on with the answer', async () => {
	const { link, run } = await asking().ask();
	const page = await look(link);
	expect(page).toMatchObject({ status: 200, heading: 'A question for you' });
	expect(page.html).toContain('May we deliver on Friday?');
	await run('waiting');

	expect(await answer(link, { choice: '0' })).toMatchObject({ status: 200, heading: 'Thank you' });
	const execution = await run('success');
	expect(outputOf(execution, 'After')).toEqual([{ approved: true, respondedAt, message }]);
	expect(asking().api.calls).toHaveLength(1);
});

test.each([
	['declined', {}, { choice: '1', reason: 'Late' }, { approved: false, reason: 'Late' }],
	[
		'answered with one of three',
		{ responseType: 'answers', answers: ANSWERS },
		{ choice: '1' },
		{ answer: 'On Monday' },
	],
	[
		'answered in writing',
		{ responseType: 'freeText' },
		{ text: 'अच्छा <b>&' },
		{ text: 'अच्छा <b>&' },
	],
])('a question can be %s', async (_, parameters, fields, expected) => {
	const { link, run } = await asking().ask(parameters);
	await answer(link, fields);
	const execution = await run('success');
	expect(outputOf(execution, 'After')).toEqual([{ ...expected, respondedAt, message }]);
});

// docs/ask-and-wait.md: an answer that is none keeps the workflow waiting
test.each<[string, object, Record<string, string>]>([
	['nothing', {}, {}],
	['an empty text', { responseType: 'freeText' }, { text: '  ' }],
])(
	'%s is no answer: the page asks again, and the workflow waits',
	async (_, parameters, fields) => {
		const { link, run } = await asking().ask(parameters);
		const page = await answer(link, fields);
		expect(page).toMatchObject({ status: 400, heading: 'A question for you' });
		expect(page.html).toContain('Please answer before you send.');
		await run('waiting');
	},
);

// docs/ask-and-wait.md: a one-time code
test('a question with a code keeps waiting for an answer with the code', async () => {
	const { link, run } = await asking().ask({ variablesJson: ['Asha', '[link]', '[code]'] });
	const [{ templateVariables }] = asking().api.messages.values();
	const wrong = await answer(link, { choice: '0', code: '00000-00000' });
	expect(wrong).toMatchObject({ status: 403, heading: 'A question for you' });
	await run('waiting');
	await answer(link, { choice: '0', code: templateVariables[3] });
	expect(outputOf(await run('success'), 'After')).toEqual([
		{ approved: true, respondedAt, message },
	]);
});
