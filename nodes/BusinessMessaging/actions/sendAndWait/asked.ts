import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isRecord } from '../../isRecord';
import type { Asked } from '../question';

const KEY = 'asked';
const ROUNDS = 'askedRounds';

/** The number of the next question. What fails is counted as well: a message that may have gone has a link, too. */
export function countRound(context: IExecuteFunctions): number {
	const memory = context.getContext('node');
	const round = Number(memory[ROUNDS] ?? 0) + 1;
	memory[ROUNDS] = round;
	return round;
}

export function storeAsked(context: IExecuteFunctions, asked: Asked): void {
	context.getContext('node')[KEY] = asked as unknown as IDataObject;
}

/** The same from the webhook, whose context has no way to it but an expression. */
export function recallAsked(context: IWebhookFunctions): Asked | undefined {
	const name = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
	const asked = context.evaluateExpression(`{{ $node[${name}].context.${KEY} }}`);
	return isRecord(asked) ? (asked as unknown as Asked) : undefined;
}
