import type { Question } from '../../../../nodes/BusinessMessaging/actions/question';
import { withLinks } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/links';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/job';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { QUESTION } from '../../../support/asked.ts';

function fill(templateVariables: Record<string, string>, asks = QUESTION, preview?: string) {
	const job = { message: { templateVariables }, preview } as unknown as SendJob;
	return withLinks(job, asks, (choice) => `https://n8n/${choice ?? 'page'}`);
}

it.each([
	['[link]', 'https://n8n/page'],
	['[ Link ]', 'https://n8n/page'],
	['[link 1]', 'https://n8n/0'],
	['[LINK2]', 'https://n8n/1'],
	['Answer here: [link].', 'Answer here: https://n8n/page.'],
	['[link 1] or [link 2]', 'https://n8n/0 or https://n8n/1'],
])('a variable "%s" becomes "%s"', (value, filled) => {
	const { message } = fill({ 1: 'Asha', 2: value });
	expect(message.templateVariables).toEqual({ 1: 'Asha', 2: filled });
});

it('the preview has the link as well', () => {
	expect(fill({ 1: '[link]' }, QUESTION, 'Please open [link]').preview).toBe(
		'Please open https://n8n/page',
	);
});

const FREE_TEXT: Question = { ...QUESTION, kind: 'freeText', choices: [] };
const TWO = 'Write [link] for the page, or [link 1] to [link 2] for an answer.';
const FIELD = /^Write \[link\] into the field .* answer\.$/;

it.each<[string, Question, string, string | RegExp]>([
	['[link 3]', QUESTION, 'the question has 2 answers', TWO],
	['[link 0]', QUESTION, 'the question has 2 answers', TWO],
	['[link 12]', QUESTION, 'the question has 2 answers', TWO],
	['[link 2]', { ...QUESTION, choices: ['Yes'] }, 'the question has one answer', 'to [link 1]'],
	['[link 1]', FREE_TEXT, 'no answers to choose from', /^Write \[link\] for the page\.$/],
	['link', QUESTION, 'No variable has the link', FIELD],
	['[links]', QUESTION, 'No variable has the link', FIELD],
])('a variable "%s" is refused', (value, asks, sentence, remedy) => {
	expect(() => fill({ 1: value }, asks)).toThrow(InputError);
	expect(() => fill({ 1: value }, asks)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining(sentence),
			remedy:
				typeof remedy === 'string'
					? expect.stringContaining(remedy)
					: expect.stringMatching(remedy),
		}),
	);
});

it('a template without variables is refused', () => {
	const job = { message: {} } as unknown as SendJob;
	expect(() => withLinks(job, QUESTION, () => '')).toThrow('No variable has the link');
});
