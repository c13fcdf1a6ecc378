import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { StatusRecord } from '../api';
import { InputError, quote } from '../errors/inputError';
import { readSwitch } from '../optionValues';
import { checkText } from '../template/text';
import { dataOf } from '../transport/envelope';
import { failureFromDelivery } from '../errors/failure';
import type { Answer } from '../transport/request';
import { waitForDelivery } from '../transport/waitFor';
import type { Awaited, LookLimits } from '../transport/waitFor';
import {
	concurrencyField,
	rawResponseField,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	waitForFields,
} from './fields';
import type { Operation, Result, Session, Waiting } from './operation';
import { readCallLimits, readWaitOptions } from './options';
import type { CallLimits, WaitOptions } from './options';
import { rawOutput, withoutErrorKey } from './output';
import { seenAfter } from './seen';
import { lookUpStatus } from './statusCall';

interface StatusJob {
	messageId: string;
	rawResponse: boolean;
	wait: WaitOptions;
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
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			rawResponseField,
			concurrencyField,
			requestsPerMinuteField,
			timeoutField,
			...waitForFields,
		],
		displayOptions: forGetStatus,
	},
];

export const getStatus: Operation<StatusJob> = {
	fields,
	purpose: 'status',
	read,
	estimate: () => 0,
	run,
};

function read(context: IExecuteFunctions, itemIndex: number): StatusJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const messageId = readMessageId(context.getNodeParameter('messageId', itemIndex));

	return {
		messageId,
		rawResponse: readSwitch(options, 'rawResponse', 'Raw Response'),
		wait: readWaitOptions(options),
		limits: readCallLimits(options),
	};
}

async function run(job: StatusJob, _: number, session: Session): Promise<Result | Waiting> {
	const reply = await lookUpStatus(session.client, job.messageId, job.limits);
	if ('failure' in reply) return reply;
	if (job.wait.waitFor) return { later: awaitStatus(job, job.wait.waitFor, reply.answer, session) };
	return { json: outputOf(job, reply.answer), seen: { status: reply.data.status } };
}

async function awaitStatus(
	job: StatusJob,
	awaited: Awaited,
	first: Answer,
	session: Session,
): Promise<Result> {
	let latest = first;
	const look = async (limits: LookLimits) => {
		const reply = await lookUpStatus(session.client, job.messageId, job.limits, limits);
		if ('answer' in reply) latest = reply.answer;
		return reply;
	};
	const { seen, delivery } = await waitForDelivery(
		{
			awaited,
			first: dataOf(first) as StatusRecord,
			look,
			timeoutMs: job.wait.waitTimeoutMs,
		},
		session,
	);
	if (seen.status === 'failed') return { failure: failureFromDelivery(seen, job.messageId) };
	return {
		json: { ...outputOf(job, latest), delivery: { ...delivery } as IDataObject },
		seen: seenAfter(awaited, delivery, job.wait),
	};
}

function outputOf(job: StatusJob, answer: Answer): IDataObject {
	return job.rawResponse ? rawOutput(answer) : withoutErrorKey(dataOf(answer) as IDataObject);
}

function readMessageId(value: unknown): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
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
