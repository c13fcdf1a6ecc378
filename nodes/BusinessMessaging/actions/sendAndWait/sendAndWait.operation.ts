import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation, Session, RunOptions } from '../operation';
import type { Question } from '../question';
import type { Result } from '../result';
import { readSendJob } from '../sendTemplate/job';
import type { SendJob } from '../sendTemplate/job';
import { sendTemplate } from '../sendTemplate/sendTemplate.operation';
import { countRound } from './asked';
import { checkRun } from './checkRun';
import { sendAndWaitFields } from './fields';
import { isHumanReview } from './humanReview';
import { withLinks } from './links';
import { readQuestion } from './readQuestion';
import { readWaitLimit } from './waitLimit';

/** A message of Send Template with the link to a question. */
interface AskJob extends SendJob {
	question: Question;
	round: number;
	limitMs: number;
	isReview: boolean;
}

export const sendAndWait: Operation<AskJob> = {
	fields: sendAndWaitFields,
	purpose: 'send',
	checkRun,
	read,
	price: sendTemplate.price,
	isDryRun: sendTemplate.isDryRun,
	recall: sendTemplate.recall,
	perform,
};

function read(
	context: IExecuteFunctions,
	itemIndex: number,
	now: number,
	options?: RunOptions,
): AskJob {
	const job = readSendJob(context, itemIndex, now, options);
	const question = readQuestion(context);
	const limitMs = readWaitLimit(context);
	const round = countRound(context);
	const linkTo = (choice?: number) =>
		context.getSignedResumeUrl({
			round: String(round),
			...(choice === undefined ? {} : { choice: String(choice) }),
		});
	return {
		...withLinks(job, question, linkTo),
		wait: undefined,
		sendOnceKey: undefined,
		rawResponse: false,
		question,
		round,
		limitMs,
		isReview: isHumanReview(context.getNode()),
	};
}

async function perform(job: AskJob, itemIndex: number, session: Session): Promise<Result> {
	const result = await sendTemplate.perform(job, itemIndex, session);
	if ('failure' in result) return result;
	const { question, round, limitMs, isReview, dryRun } = job;
	if (dryRun)
		return { ...result, json: { ...result.json, question: { ...question } as IDataObject } };
	const until = session.clock.now() + limitMs;
	return { ...result, asked: { round, question, until, message: result.json, isReview } };
}
