import { InputError, quote } from '../../errors/inputError';
import type { Question } from '../question';
import type { SendJob } from '../sendTemplate/job';

/** "[link]" for the page, "[link 2]" for the page with the second answer in front. */
const LINK = /\[\s*link(?:\s*(\d+))?\s*\]/gi;

/** @param choice of the question, from 0; without one the link is for all */
export type LinkTo = (choice?: number) => string;

/**
 * The message with the links in the places that ask for them.
 * @throws InputError when no variable has one, or has one to an answer that does not exist
 */
export function withLinks(job: SendJob, question: Question, linkTo: LinkTo): SendJob {
	let hasLink = false;
	const fill = (text: string) =>
		text.replace(LINK, (asked: string, number?: string) => {
			hasLink = true;
			return linkTo(number === undefined ? undefined : choiceOf(asked, Number(number), question));
		});
	const variables = Object.entries(job.message.templateVariables ?? {});
	const templateVariables = Object.fromEntries(
		variables.map(([position, value]) => [position, fill(value)]),
	);
	if (!hasLink) {
		throw new InputError(
			'No variable has the link to the question',
			'Write [link] into the field of the placeholder that gets it, or [link 1], [link 2] and so on for a link to each answer.',
		);
	}
	return {
		...job,
		message: { ...job.message, templateVariables },
		knownBy: job.message,
		...(job.preview === undefined ? {} : { preview: fill(job.preview) }),
	};
}

function choiceOf(asked: string, number: number, { choices }: Question): number {
	if (number >= 1 && number <= choices.length) return number - 1;
	throw new InputError(
		`A variable has ${quote(asked)}, but the question has ${answers(choices.length)}`,
		choices.length === 0
			? 'Write [link] for the page.'
			: `Write [link] for the page, or [link 1] to [link ${choices.length}] for an answer.`,
	);
}

function answers(count: number): string {
	if (count === 0) return 'no answers to choose from';
	return count === 1 ? 'one answer' : `${count} answers`;
}
