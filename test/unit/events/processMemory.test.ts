import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import {
	isClaimedHere,
	isRepeated,
	wasAcceptedHere,
} from '../../../nodes/BusinessMessaging/events/processMemory';

class ResponseDouble extends EventEmitter {
	statusCode = 200;
	writableFinished = false;
	destroyed = false;

	end(statusCode: number, isReceived = true): void {
		this.statusCode = statusCode;
		this.writableFinished = isReceived;
		this.destroyed = true;
		this.emit('close');
	}
}

/** What the memory asks of n8n, for one node of one workflow. */
function contextOf({ workflow = 'w', node = 'n', mode = 'webhook' } = {}) {
	const response = new ResponseDouble();
	const context = {
		getMode: () => mode,
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: node }),
		getResponseObject: () => response,
	} as unknown as IWebhookFunctions;
	return { context, response };
}

function isRepeatedFor(scope: Parameters<typeof contextOf>[0], key: string): boolean {
	return isRepeated(contextOf(scope).context, key, 24);
}

it('knows a delivery again, for each node of each workflow by itself', () => {
	const key = randomUUID();
	const scopes = [{}, { node: 'other' }, { workflow: 'other' }];
	expect(scopes.map((scope) => isRepeatedFor(scope, key))).toEqual([false, false, false]);
	expect(scopes.map((scope) => isRepeatedFor(scope, key))).toEqual([true, true, true]);
});

it('never takes a test event for a repeated one', () => {
	const key = randomUUID();
	expect(isRepeatedFor({ mode: 'manual' }, key)).toBe(false);
	expect(isRepeatedFor({ mode: 'manual' }, key)).toBe(false);
	expect(isRepeatedFor({}, key)).toBe(false);
});

it.each([
	['was answered 200', 200, true, true],
	['n8n could not store', 500, true, false],
	['the sender did not wait for', 200, false, false],
])('treats the next delivery of an event rightly that %s', (_, status, isReceived, repeated) => {
	const key = randomUUID();
	const { context, response } = contextOf();
	expect(isRepeated(context, key, 24)).toBe(false);
	response.end(status, isReceived);
	expect(isRepeatedFor({}, key)).toBe(repeated);
});

it('counts the next delivery when the sender was gone before n8n got to the first', () => {
	const key = randomUUID();
	const { context, response } = contextOf();
	response.end(200, false);
	expect(isRepeated(context, key, 24)).toBe(false);
	expect(isRepeatedFor({}, key)).toBe(false);
});

it('tells which deliveries this process accepted itself', () => {
	const key = randomUUID();
	const { context } = contextOf();
	expect(wasAcceptedHere(context, key)).toBe(false);
	isRepeated(context, key, 24);
	expect(wasAcceptedHere(context, key)).toBe(true);
});

it('lets one execution of this process have an event', () => {
	const key = randomUUID();
	expect(isClaimedHere(contextOf().context, key)).toBe(false);
	expect(isClaimedHere(contextOf().context, key)).toBe(true);
	expect(isClaimedHere(contextOf({ node: 'other' }).context, key)).toBe(false);
});
