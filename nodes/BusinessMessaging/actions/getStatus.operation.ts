import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { dataOf } from '../answer';
import type { Answer } from '../answer';
import type { Failed } from '../errors/failure';
import { InputError, quote } from '../errors/inputError';
import { readSwitch } from '../optionValues';
import { checkText } from '../template/text';
import { textOf } from '../textOf';
import {
	concurrencyField,
	optionsFields,
	rawResponseField,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	waitForFields,
} from './fields';
import { lookUpStatus, watchMessage } from './messageStatus';
import type { Watched } from './messageStatus';
import type { Operation, Session } from './operation';
import { readCallLimits, readWaitOptions } from './options';
import type { CallLimits, WaitOptions } from './options';
import { rawOutput, withoutErrorKey } from './output';
import type { Result } from './result';

interface StatusJob {
	messageId: string;
	rawResponse: boolean;
	/** Undefined when nothing is waited for. */
	wait?: WaitOptions;
	limits: CallLimits;
}

const forGetStatus = showFor('getStatus');

const fields: INodeProperties[] = [
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.message_id }}',
		description: 'The "message_id" that Send Template put out',
		displayOptions: forGetStatus,
	},
	...optionsFields(
		[rawResponseField, concurrencyField, requestsPerMinuteField, timeoutField, ...waitForFields],
		forGetStatus,
	),
];

export const getStatus: Operation<StatusJob> = {
	fields,
	purpose: 'status',
	read,
	price: () => 0,
	perform,
};

function read(context: IExecuteFunctions, itemIndex: number): StatusJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const messageId = readMessageId(context.getNodeParameter('messageId', itemIndex));

	return {
		messageId,
		rawResponse: readSwitch(options, rawResponseField),
		wait: readWaitOptions(options),
		limits: readCallLimits(options),
	};
}

async function perform(job: StatusJob, _: number, session: Session): Promise<Result> {
	const reply = await lookUpStatus(session.client, job.messageId, job.limits);
	if ('failure' in reply) return reply;
	const { answer, data } = reply;
	const result = { json: outputOf(job, answer), seen: { status: data.status } };
	if (!job.wait) return result;
	const watching = watchMessage({ ...job, wait: job.wait, first: data }, session);
	return { ...result, later: watching.then((watched) => afterWait(job, answer, watched)) };
}

function afterWait(job: StatusJob, first: Answer, watched: Watched | Failed): Result {
	if ('failure' in watched) return watched;
	const { answer = first, delivery, seen } = watched;
	return { json: { ...outputOf(job, answer), delivery }, seen };
}

function outputOf(job: StatusJob, answer: Answer): IDataObject {
	return job.rawResponse ? rawOutput(answer) : withoutErrorKey(dataOf(answer) as IDataObject);
}

function readMessageId(value: unknown): string {
	const id = textOf(value);
	if (!id) {
		throw new InputError(
			'Message ID is empty',
			'Map "message_id" from the output of Send Template.',
		);
	}
	checkText(id, 'Message ID');
	if (/[\s/?#\\]/.test(id) || id === '.' || id === '..') {
		throw new InputError(
			`Message ID ${quote(id)} is not the ID of a message`,
			'Use the ID alone, without spaces, slashes or a web address.',
		);
	}
	return id;
}
