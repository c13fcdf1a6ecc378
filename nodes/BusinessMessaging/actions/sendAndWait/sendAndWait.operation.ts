import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError, quote, refuseAs } from '../../inputError';
import { isHumanReview, isTool, runsInEngineV2 } from '../../n8n';
import type { Result } from '../../outcome';
import { enteredAt } from '../../parameters';
import { changedValues } from '../../template/variables';
import type { RunContext } from '../job';
import type { Operation } from '../operation';
import { budgetOption } from '../options/budget';
import type { TestMessages } from '../options/testRecipient';
import { toField } from '../sendTemplate/fields';
import { readSendJob } from '../sendTemplate/readParameters';
import { jobOf } from '../sendTemplate/sendTemplate.operation';
import { type SendJob, skipped } from '../sendTemplate/sending';
import { codeOf, hasCode, withCode } from './code';
import { sendAndWaitFields } from './fields';
import { type Question, questionText, readQuestion } from './question';
import { checkReviewer } from './review';
import { countRound, readWaitLimit, waitForAnswer, wasDeclined } from './wait';

export const sendAndWait = {
	fields: sendAndWaitFields,
	sends: true,
	// In a dry run nobody answers, and no answer must be made up of that.
	skips: true,
	checkRun,
	read: readQuestionJob,
} satisfies Operation;

/** A message of Send Template with the link to a question. */
function readQuestionJob(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
	test?: TestMessages,
) {
	if (isHumanReview(context.getNode())) {
		checkReviewer(enteredAt(context, itemIndex, toField.name));
	}
	const job = readSendJob(context, itemIndex, now, test, [budgetOption]);
	const { incomplete, ...asked } = refuseAs('wrongQuestion', () => readQuestion(context));
	const limitMs = refuseAs('wrongOption', () => readWaitLimit(context));
	const round = countRound(context);
	const linkTo = (choice?: number) =>
		context.getSignedResumeUrl({
			round: String(round),
			...(choice === undefined ? {} : { choice: String(choice) }),
		});
	const linked = refuseAs('wrongVariable', () => withLinks(job, asked, linkTo));
	const asksCode = hasCode(job.message.templateVariables);
	const question: Question = asksCode ? { ...asked, asksCode } : asked;
	const isCoded = asksCode && !job.dryRun;
	const message = jobOf(
		{
			...linked,
			// The preview keeps `[code]`, because n8n stores it.
			message: isCoded ? withCode(linked.message, codeOf(context, round)) : linked.message,
			incomplete: [...job.incomplete, ...incomplete],
			// A question has no such options, but an operation that was chosen before can have left them.
			wait: undefined,
			rawResponse: false,
			// Each question waits for the tester's answer, and the workflow can't go on without one.
			isBeyondTest: false,
		},
		itemIndex,
	);
	return {
		...message,
		question,
		recipient: undefined,
		// A question that another execution has sent has the links of that one.
		ledgerEntry: undefined,
		async perform(run: RunContext, onWaiting: (result: Result) => void): Promise<Result> {
			if (question.review && wasDeclined(context, question)) {
				const chatInput = 'The reviewer has declined this before. Do not ask again.';
				return skipped('declinedBefore', { approved: false, chatInput });
			}
			const result = await message.perform(run, onWaiting);
			if (result.kind === 'shown') {
				return { ...result, json: { ...result.json, question } };
			}
			if (result.kind === 'sent') {
				// First, so that an exception does not count as a message that was not sent.
				onWaiting(result);
				const until = run.clock.now() + limitMs;
				await waitForAnswer(context, { round, question, until, message: result.json });
			}
			return result;
		},
	};
}

/** @throws InputError where n8n can't make this run wait for one answer */
function checkRun(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (runsInEngineV2(context)) {
		throw new InputError(
			"n8n's engine v2 can't wait for an answer, so the question was not sent",
			"Remove engineType from the workflow's settings, or choose Send Template.",
		);
	}
	if (isTool(node) && !isHumanReview(node)) {
		throw new InputError(
			"Send Template and Wait for Response can't be a tool of an AI agent",
			'Add it as Human review between the agent and the tool that it is to approve. For a question of the agent itself, put it into a sub-workflow, and let the agent call that with Call n8n Sub-Workflow Tool.',
		);
	}
	const { length } = context.getInputData();
	if (length > 1) {
		throw new InputError(
			`Send Template and Wait for Response asks one question at a time, but there are ${length} items`,
			'Put a Loop Over Items node before it, with a batch size of 1.',
		);
	}
}

/** "[link]" for the page, "[link 2]" for the page with the second answer first. */
const LINK = /\[\s*link(?:\s*(\d+))?\s*\]/gi;

/**
 * The message with the links in place of `[link]` and `[link 1]`, `[link 2]` …
 * @param linkTo the link to a choice, from 0; without one to the page as such
 * @throws InputError when no variable has a link, or one has a link to an answer that does not exist
 */
function withLinks(job: SendJob, question: Question, linkTo: (choice?: number) => string): SendJob {
	let hasLink = false;
	const fill = (text: string) =>
		text.replace(LINK, (written: string, number?: string) => {
			hasLink = true;
			return linkTo(number === undefined ? undefined : choiceOf(written, Number(number), question));
		});
	const templateVariables = changedValues(job.message.templateVariables, fill);
	if (!hasLink) {
		throw new InputError(
			'No variable has the link to the question',
			'Write [link] into the field of the placeholder that gets it, or [link 1], [link 2] and so on for a link to each answer.',
		);
	}
	return {
		...job,
		message: { ...job.message, templateVariables },
		// Each round has links of its own, by which a retry would not recognize the message.
		knownBy: { ...job.message, question: questionText(question) },
		...(job.preview === undefined ? {} : { preview: fill(job.preview) }),
	};
}

function choiceOf(written: string, number: number, { choices }: Question): number {
	if (number >= 1 && number <= choices.length) return number - 1;
	throw new InputError(
		`A variable has ${quote(written)}, but the number of answers to choose from is ${choices.length}`,
		'Write [link] for the page, or the number of an answer, as in [link 1].',
	);
}
