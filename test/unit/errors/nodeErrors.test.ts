import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	asLookUpFailure,
	failureFromInput,
	failureOf,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { toNodeError } from '../../../nodes/BusinessMessaging/errors/nodeErrors';
import {
	failureFromResponse,
	LOOK_UP_SENTENCES,
	SEND_SENTENCES,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { NODE } from '../../support/sendNode.ts';

/** As when the API does not answer in time. */
const UNKNOWN = failureOf(
	{ message: 'The API did not answer in time', remedy: 'The message may have been sent.' },
	'unknown',
);
const wrong = (message: string) => failureFromInput(new InputError(message, 'Correct it.'));

describe('the error that stops the execution', () => {
	it('for a wrong input names the item and what to do', () => {
		const error = toNodeError(NODE, wrong('The recipient is empty'), { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ description: 'Correct it.', context: { itemIndex: 3 } });
		expect(error.message).toBe('The recipient is empty [item 3]');
		expect(error.context).not.toHaveProperty('data');
		const data = { messagesSent: 2 };
		expect(toNodeError(NODE, wrong('It is empty'), { data }).context).toMatchObject({ data });
	});

	// n8n writes the last one itself.
	it.each([
		['The recipient "item 1" is not a phone number', ' [item 1]'],
		['The recipient "[item 1]" is not a phone number', ' [item 1]'],
		["Invalid input for 'to' [item 1]", ''],
	])('%j names the item once', (message, added) => {
		expect(toNodeError(NODE, wrong(message), { itemIndex: 1 }).message).toBe(message + added);
	});

	it('for several wrong items adds no number to a message that has one', () => {
		const message = '2 of 3 items are wrong, the first is item 1: It is empty';
		const error = toNodeError(NODE, wrong(message), { itemIndex: 1, namesItem: true });
		expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
	});

	it('for a look-up is about the input, or has the status of the API', () => {
		const input = asLookUpFailure(wrong('It is empty'));
		expect(toNodeError(NODE, input)).toBeInstanceOf(NodeOperationError);
		const response = { status: 404, headers: {}, body: '' };
		const refused = asLookUpFailure(failureFromResponse(response, LOOK_UP_SENTENCES));
		expect(toNodeError(NODE, refused)).toMatchObject({ httpCode: '404' });
	});

	it('for a response has its status, and the failure as data', () => {
		const response = { status: 400, headers: {}, body: { error: { code: 133004 } } };
		const failure = failureFromResponse(response, SEND_SENTENCES);
		const note = '2 messages were sent before.';
		const error = toNodeError(NODE, failure, { itemIndex: 0, note });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			httpCode: '400',
			message: `${failure.message} [item 0]`,
			description: `${failure.remedy} ${note}`,
			context: { itemIndex: 0, data: failure },
		});
	});

	it('for a request without a response keeps the sentence as it is', () => {
		const error = toNodeError(NODE, UNKNOWN, { itemIndex: 7 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The API did not answer in time [item 7]',
			description: UNKNOWN.remedy,
			context: { itemIndex: 7, data: { outcome: 'unknown' } },
		});
	});

	it('for a run that could not start names no item', () => {
		const error = toNodeError(NODE, wrong('The credential has no API key'));
		expect(error.message).toBe('The credential has no API key');
		expect(error.context).not.toHaveProperty('itemIndex', expect.any(Number));
	});

	it('for the model of an agent says in its message what to do', () => {
		const error = toNodeError({ ...NODE, type: `${NODE.type}Tool` }, UNKNOWN, { itemIndex: 0 });
		expect(error.message).toBe(`The API did not answer in time. ${UNKNOWN.remedy}`);
	});
});
