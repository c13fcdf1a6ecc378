import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type ApiResponse, dataOf } from '../api';
import { InputError, quote, refuseAs } from '../inputError';
import { failed, type LookUp } from '../outcome';
import { readSwitch } from '../parameters';
import { checkDigits, checkText } from '../template/text';
import { isBlank, textOf } from '../values';
import {
	type CallLimits,
	concurrencyField,
	includeInputField,
	optionsFields,
	rawResponseField,
	readCallLimits,
	readWaitOptions,
	requestsPerMinuteField,
	showFor,
	timeoutField,
	waitForFields,
	type WaitOptions,
} from './fields';
import { lookUpStatus, watchMessage } from './messageStatus';
import type { Operation, Result, RunContext } from './operation';
import { rawOutput, withoutErrorKey } from './output';

interface LookUpJob {
	messageId: string;
	rawResponse: boolean;
	/** Undefined: nothing is awaited. */
	wait?: WaitOptions;
	limits: CallLimits;
}

/** An item of Send Template that was skipped, in a dry run or sent before a Retry has no ID: it leaves as it came. */
type StatusJob = LookUpJob | { passes: IDataObject };

const forGetStatus = showFor('getStatus');

export const getStatus: Operation<StatusJob> = {
	fields: [
		{
			displayName: 'Message ID',
			name: 'messageId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. {{ $json.message_id }}',
			description: 'The "message_id" in the output of Send Template',
			displayOptions: forGetStatus,
		},
		...optionsFields(
			[
				includeInputField,
				rawResponseField,
				concurrencyField,
				requestsPerMinuteField,
				timeoutField,
				...waitForFields,
			],
			forGetStatus,
		),
	],
	sends: false,
	read,
	estimatedPrice: (job) => ('passes' in job ? undefined : 0),
	perform,
};

function read(context: IExecuteFunctions, itemIndex: number): StatusJob {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const messageId = context.getNodeParameter('messageId', itemIndex);
	if (isBlank(messageId)) {
		const { json } = context.getInputData()[itemIndex];
		if (json.skipped || json.dryRun || json.sentBefore) return { passes: json };
	}
	return {
		messageId: refuseAs('wrongMessageId', () => readMessageId(messageId)),
		...refuseAs('wrongOption', () => ({
			rawResponse: readSwitch(options, rawResponseField),
			wait: readWaitOptions(options),
			limits: readCallLimits(options),
		})),
	};
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

async function perform(
	job: StatusJob,
	_: number,
	run: RunContext,
	onWaiting: (result: Result) => void,
): Promise<LookUp> {
	if ('passes' in job) return { kind: 'passed', json: job.passes };
	const reply = await lookUpStatus(run.client, job.messageId, job.limits);
	if ('failure' in reply) return failed(reply);
	const { response: first, data } = reply;
	const found: LookUp = {
		kind: 'found',
		json: outputOf(job, first),
		seen: { status: data.status },
	};
	if (!job.wait) return found;
	const watching = watchMessage({ ...job, wait: job.wait, first: data }, run);
	onWaiting(found);
	const watched = await watching;
	if ('failure' in watched) return failed(watched);
	const { response = first, delivery, seen } = watched;
	return { kind: 'found', json: { ...outputOf(job, response), delivery }, seen };
}

function outputOf(job: LookUpJob, response: ApiResponse): IDataObject {
	return job.rawResponse ? rawOutput(response) : withoutErrorKey(dataOf(response) as IDataObject);
}
