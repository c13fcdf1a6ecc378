import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readStatus } from '../api';
import { adviceOn } from '../errors/responseErrors';
import { InputError, quote, refuseAs } from '../inputError';
import { type LookUp, type Result } from '../outcome';
import { readOptions, readSwitch, type ValuesOf } from '../parameters';
import { checkDigits, checkText } from '../template/textChecks';
import { isBlank, textOf } from '../values';
import { displayFor, optionsFields } from './fields';
import type { Job, RunContext } from './job';
import { type FoundStatus, lookUpStatus, watchMessage } from './lookUp';
import type { Operation } from './operation';
import { includeInputField } from './options/includeInputFields';
import { outputOf, rawResponseField } from './options/rawResponse';
import {
	concurrencyField,
	readCallLimits,
	requestsPerMinuteField,
	timeoutField,
} from './options/requests';
import { readWaitOptions, waitForField, waitTimeoutField } from './options/waitFor';
import { hasNoId } from './output';
import type { SendJob } from './sendTemplate/sending';

interface LookUpJob extends Pick<SendJob, 'rawResponse' | 'wait' | 'limits'> {
	messageId: string;
}

const forGetStatus = displayFor('getStatus');

const messageIdField = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.message_id }}',
	description: 'The "message_id" in the output of Send Template',
	displayOptions: forGetStatus,
} as const satisfies INodeProperties;

const lookUpOptions = [includeInputField, waitForField];
const lookUpExpertOptions = [
	rawResponseField,
	concurrencyField,
	requestsPerMinuteField,
	timeoutField,
	waitTimeoutField,
];

export const getStatus: Operation = {
	fields: [messageIdField, ...optionsFields(lookUpOptions, lookUpExpertOptions, forGetStatus)],
	sends: false,
	read: readLookUp,
};

function readLookUp(context: IExecuteFunctions, itemIndex: number): Job {
	const options: ValuesOf<(typeof lookUpOptions | typeof lookUpExpertOptions)[number]> =
		readOptions(context, itemIndex);
	const messageId = context.getNodeParameter(messageIdField.name, itemIndex);
	if (isBlank(messageId)) {
		const { json } = context.getInputData()[itemIndex];
		// An item of Send Template that was skipped or sent by an earlier execution leaves as it came.
		if (hasNoId(json)) return passed(json, itemIndex);
	}
	const job = {
		messageId: refuseAs('wrongMessageId', () => readMessageId(messageId)),
		...refuseAs('wrongOption', () => ({
			rawResponse: readSwitch(options, rawResponseField),
			wait: readWaitOptions(options),
			limits: readCallLimits(options),
		})),
	};
	return {
		...job,
		itemIndex,
		price: () => 0,
		perform: async (...run) => await lookUp(job, ...run),
	};
}

function passed(json: IDataObject, itemIndex: number): Job {
	const result: LookUp = { kind: 'passed', json };
	return { itemIndex, price: () => undefined, perform: async () => await Promise.resolve(result) };
}

function readMessageId(value: unknown): string {
	const id = textOf(value);
	if (!id) {
		throw new InputError(
			'Message ID is empty',
			'Map "message_id" from the output of Send Template.',
		);
	}
	checkDigits(value, 'Message ID');
	checkText(id, 'Message ID');
	if (/\s|:\/\/|^\.{1,2}$/.test(id)) {
		throw new InputError(
			`Message ID ${quote(id)} is not the ID of a message`,
			'Use the ID alone, without spaces or a web address.',
		);
	}
	return id;
}

export async function lookUp(
	job: LookUpJob,
	run: RunContext,
	onWaiting: (result: Result) => void,
): Promise<LookUp> {
	const reply = await lookUpStatus(run.client, job.messageId, job.limits);
	const isUnknown = 'failure' in reply;
	const soFar: LookUp = isUnknown
		? reply
		: { kind: 'found', json: jsonOf(job, reply, run), seen: { status: reply.data.status } };
	// The API may not know a message yet that was sent a moment ago.
	const isAwaited = !isUnknown || reply.failure.httpStatus === 404;
	if (!job.wait || !isAwaited) return soFar;
	const first = isUnknown ? { status: '' } : reply.data;
	const watching = watchMessage({ ...job, wait: job.wait, first }, run);
	onWaiting(soFar);
	const watched = await watching;
	if ('failure' in watched) return watched;
	const { last = isUnknown ? undefined : reply, delivery, seen } = watched;
	if (!last) return soFar;
	return { kind: 'found', json: { ...jsonOf(job, last, run), delivery }, seen };
}

/** What helps stands beside a message that could not be delivered. */
function jsonOf(job: LookUpJob, found: FoundStatus, { clock }: RunContext): IDataObject {
	const json = outputOf(job, found);
	const advice =
		readStatus(found.data.status) === 'failed' ? adviceOn(found.data, clock.now()) : {};
	return { ...json, ...advice, ...json };
}
