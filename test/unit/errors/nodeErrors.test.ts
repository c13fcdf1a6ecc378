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

describe('the error that stops the execution', () => {
	it('for a wrong input names the item and what to do', () => {
		const failure = failureFromInput(new InputError('The recipient is empty', 'Enter a number.'));
		const error = toNodeError(NODE, failure, { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The recipient is empty \[item 3\]$/),
			description: 'Enter a number.',
			context: { itemIndex: 3 },
		});
		expect(error.context).not.toHaveProperty('data');
		const data = { messagesSent: 2 };
		expect(toNodeError(NODE, failure, { itemIndex: 3, data }).context).toMatchObject({ data });
	});

	it('for a wrong input of a look-up is about the input', () => {
		const failure = asLookUpFailure(failureFromInput(new InputError('It is empty', 'Enter it.')));
		expect(toNodeError(NODE, failure)).toBeInstanceOf(NodeOperationError);
	});

	// n8n writes the last one itself.
	it.each([
		['The recipient "item 12" is not a phone number', 1, ' [item 1]'],
		['The recipient "item 1" is not a phone number', 1, ' [item 1]'],
		['The recipient "[item 1]" is not a phone number', 1, ' [item 1]'],
		["Invalid input for 'to' [item 1]", 1, ''],
	])('%j names the item once', (message, itemIndex, added) => {
		const failure = failureFromInput(new InputError(message, 'Correct it.'));
		expect(toNodeError(NODE, failure, { itemIndex }).message).toBe(message + added);
	});

	it('for several wrong items adds no number to a message that has one', () => {
		const message = '2 of 3 items are wrong, the first is item 1: It is empty';
		const failure = failureFromInput(new InputError(message, 'Correct it.'));
		const error = toNodeError(NODE, failure, { itemIndex: 1, namesItem: true });
		expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
	});

	it('for a look-up that the API refused has its status', () => {
		const response = { status: 404, headers: {}, body: '' };
		const failure = asLookUpFailure(failureFromResponse(response, LOOK_UP_SENTENCES));
		expect(toNodeError(NODE, failure)).toMatchObject({ httpCode: '404' });
	});

	it('for a response has its status, and the failure as data', () => {
		const body = { error: { code: 133004, message: 'No such template' } };
		const failure = failureFromResponse({ status: 400, headers: {}, body }, SEND_SENTENCES);
		const error = toNodeError(NODE, failure, {
			itemIndex: 0,
			note: '2 messages were sent before.',
		});
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			httpCode: '400',
			message: `${failure.message} [item 0]`,
			description: `${failure.remedy} 2 messages were sent before.`,
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
		const failure = failureFromInput(new InputError('The credential has no API key', 'Paste it.'));
		const error = toNodeError(NODE, failure);
		expect(error).toMatchObject({ message: failure.message, description: 'Paste it.' });
		expect(error.context).not.toHaveProperty('itemIndex', expect.any(Number));
	});

	it('for the model of an agent says in its message what to do', () => {
		const error = toNodeError({ ...NODE, type: `${NODE.type}Tool` }, UNKNOWN, { itemIndex: 0 });
		expect(error.message).toBe(`The API did not answer in time. ${UNKNOWN.remedy}`);
	});
});
