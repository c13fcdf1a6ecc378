import type {
	IDataObject,
	IExecuteFunctions,
	IWebhookFunctions,
	NodeExecutionHint,
} from 'n8n-workflow';
import { contextOf } from '../../n8n';
import { isPrivateHost } from '../../transport/credential';
import { isRecord } from '../../values';
import type { Asked } from '../operation';

/** Where the node's context, which n8n stores with the execution, has the question and the count of questions. */
const ASKED = 'asked';
const ROUNDS = 'askedRounds';

/** The number of the next question. Failed sends count as well, because their message may be out with its link. */
export function countRound(context: IExecuteFunctions): number {
	const memory = contextOf(context);
	const round = Number(memory[ROUNDS] ?? 0) + 1;
	memory[ROUNDS] = round;
	return round;
}

/** Not in n8n's types: n8n 1.x checks the signature of links only for executions that ask for it. */
interface N8n1 {
	setSignatureValidationRequired?: () => void;
}

/** Stores the question and ends the node's run. n8n resumes the execution with an answer, or at the time limit. */
export async function waitForAnswer(context: IExecuteFunctions, asked: Asked): Promise<void> {
	contextOf(context)[ASKED] = asked as unknown as IDataObject;
	// At the time limit n8n outputs the node's input, which could contain `approved`. So replace the input.
	context.getExecuteData().data = {
		main: [[{ json: expiredJson(asked), pairedItem: { item: 0 } }]],
	};
	const hint = hintAbout(context.getSignedResumeUrl());
	// Older versions of n8n have no hints.
	if (hint) context.addExecutionHints?.(hint);
	(context as N8n1).setSignatureValidationRequired?.();
	await context.putExecutionToWait(new Date(asked.until));
}

/** The stored question. A webhook's context reaches the node's context by an expression only. */
export function recallAsked(context: IWebhookFunctions): Asked | undefined {
	const name = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
	const asked = context.evaluateExpression(`{{ $node[${name}].context.${ASKED} }}`);
	return isRecord(asked) ? (asked as unknown as Asked) : undefined;
}

/** The output when nobody answered in time. */
function expiredJson({ message, isReview }: Asked): IDataObject {
	return {
		timedOut: true,
		...(isReview ? { approved: false, chatInput: 'Nobody answered in time.' } : {}),
		message,
	};
}

/** Warns about a link that the customer's phone can't open. */
function hintAbout(link: string): NodeExecutionHint | undefined {
	const { hostname, origin } = new URL(link);
	if (!isPrivateHost(hostname)) return undefined;
	return {
		message: `The link leads to ${origin}, which only this computer or network can open. For customers, set N8N_WEBHOOK_URL (before n8n 2.30 WEBHOOK_URL) to the public address of your n8n.`,
		type: 'warning',
		location: 'outputPane',
	};
}
