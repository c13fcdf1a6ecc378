import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { FAILURES } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { asLookUpFailure, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { toNodeError } from '../../../nodes/BusinessMessaging/errors/nodeErrors';
import {
	failureFromResponse,
	SEND_SENTENCES,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';
import { NODE } from '../../support/sendNode.mts';

/** As when the API does not answer in time. */
const UNKNOWN = failureOf(
	{ ...FAILURES.timeout, code: 'timeout', remedy: 'The message may have been sent.' },
	'unknown',
);
const wrong = (message: string) => failureOf(new InputError(message, 'Correct it.'));

describe('the error that stops the execution', () => {
	it('for a wrong input names the item and what to do', () => {
		const error = toNodeError(NODE, wrong('The recipient is empty'), {
			itemIndex: 3,
			place: 'item 3, row 4',
		});
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ description: 'Correct it.', context: { itemIndex: 3 } });
		expect(error.message).toBe('The recipient is empty [item 3, row 4]');
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
		const error = toNodeError(NODE, wrong(message), { itemIndex: 1, place: 'item 1' });
		expect(error.message).toBe(message + added);
	});

	it('for several wrong items, or for the whole run, adds no number to the message', () => {
		const error = toNodeError(NODE, wrong('The first is item 1'), {
			itemIndex: 1,
		});
		expect(error).toMatchObject({ message: 'The first is item 1', context: { itemIndex: 1 } });
		const ofRun = toNodeError(NODE, asLookUpFailure(wrong('The credential has no API key')));
		expect(ofRun).toBeInstanceOf(NodeOperationError);
		expect(ofRun.message).toBe('The credential has no API key');
		expect(ofRun.context).not.toHaveProperty('itemIndex', expect.any(Number));
	});

	it('for a response has its status, and the failure as data', () => {
		const response = { status: 400, headers: {}, body: { error: { code: 133004 } } };
		const failure = failureFromResponse(response, SEND_SENTENCES, 0);
		const at = { itemIndex: 0, place: 'item 0' };
		const error = toNodeError(NODE, failure, { ...at, note: 'None was sent.' });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			httpCode: '400',
			message: `${failure.message} [item 0]`,
			description: `${failure.remedy} None was sent.`,
			context: { itemIndex: 0, data: failure },
		});
		expect(toNodeError(NODE, asLookUpFailure(failure))).toBeInstanceOf(NodeApiError);
	});

	it('for a request that can be repeated is not about the input', () => {
		const refused = failureOf(UNKNOWN, 'notSent', true);
		expect(toNodeError(NODE, refused)).toBeInstanceOf(NodeApiError);
	});

	it('of a Human review tells the model in its message what to do, and the builder in its description', () => {
		const review = { ...NODE, type: `${NODE.type}HitlTool` };
		const error = toNodeError(review, UNKNOWN, { itemIndex: 0 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(
			/^The API did not answer in time\. The message may have been sent.* Do not call this tool again/,
		);
		const refused = toNodeError(review, wrong('It is empty'));
		expect(refused.message).toMatch(/^It is empty\. Nothing was sent\. Only the builder of the/);
		expect(refused.description).toBe('Correct it.');
	});
});
