import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { STATUS_PATH } from '../api';
import { InputError, quote } from '../inputError';
import { dataOf, isAccepted } from '../transport/envelope';
import { failureFromAnswer, failureFromFault, failureFromUnreadable } from '../transport/failure';
import { isAnswer } from '../transport/request';
import { rawResponseField, showFor, timeoutField, timeoutMs } from './fields';
import type { Operation, Result, Session } from './operation';
import { rawOutput, withoutErrorKey } from './output';

interface StatusJob {
	messageId: string;
	rawResponse: boolean;
	timeoutMs: number;
}

interface StatusOptions {
	rawResponse?: boolean;
	timeout?: number;
}

const forGetStatus = showFor('getStatus');

const fields: INodeProperties[] = [
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		required: true,
		default: '',
		placeholder: '{{ $json.message_id }}',
		description: 'The "message_id" that Send Template put out',
		displayOptions: forGetStatus,
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [rawResponseField, timeoutField],
		displayOptions: forGetStatus,
	},
];

export const getStatus: Operation<StatusJob> = { fields, read, run };

function read(context: IExecuteFunctions, itemIndex: number): StatusJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as StatusOptions;
	const messageId = readMessageId(context.getNodeParameter('messageId', itemIndex));

	return {
		messageId,
		rawResponse: options.rawResponse === true,
		timeoutMs: timeoutMs(options.timeout),
	};
}

async function run(job: StatusJob, { connection, exchange }: Session): Promise<Result> {
	const answer = await exchange({
		method: 'GET',
		url: connection.baseUrl + STATUS_PATH + encodeURIComponent(job.messageId),
		timeoutMs: job.timeoutMs,
	});
	if (!isAnswer(answer)) return { failure: failureFromFault(answer, 'status') };
	if (!isAccepted(answer)) {
		return { failure: failureFromAnswer(answer, 'status', connection.apiKey) };
	}
	const record = dataOf(answer);
	if (typeof record?.status !== 'string') {
		return { failure: failureFromUnreadable(answer, 'status') };
	}
	return { json: job.rawResponse ? rawOutput(answer) : withoutErrorKey(record as IDataObject) };
}

function readMessageId(value: unknown): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (!id) {
		throw new InputError(
			'Message ID is empty',
			'Map "message_id" from the output of Send Template.',
		);
	}
	if (/[\s/?#\\]/.test(id) || id === '.' || id === '..') {
		throw new InputError(
			`Message ID ${quote(id)} is not the ID of a message`,
			'Use the ID alone, without spaces, slashes or a web address.',
		);
	}
	return id;
}
