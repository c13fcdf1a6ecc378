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
	const scopes = [
		{},
		{ node: 'other' },
		{ workflow: 'other' },
		{ workflow: '1', node: '12' },
		{ workflow: '11', node: '2' },
	];
	expect(scopes.map((scope) => isRepeatedFor(scope, key))).toEqual(scopes.map(() => false));
	expect(scopes.map((scope) => isRepeatedFor(scope, key))).toEqual(scopes.map(() => true));
});

describe('the time that a process remembers', () => {
	const START = Date.UTC(2026, 0, 31, 12);
	const HOUR_MS = 3_600_000;
	let time: jest.SpyInstance;
	beforeEach(() => (time = jest.spyOn(Date, 'now').mockReturnValue(START)));
	afterEach(() => time.mockRestore());

	it.each([
		[2 * HOUR_MS - 1, true],
		[2 * HOUR_MS, false],
	])('a delivery is two hours if so set: after %d ms it is a repeated one: %p', (ms, expected) => {
		const key = randomUUID();
		isRepeated(contextOf().context, key, 2);
		time.mockReturnValue(START + ms);
		expect(isRepeated(contextOf().context, key, 2)).toBe(expected);
	});

	it.each([
		[HOUR_MS - 1, true],
		[HOUR_MS, false],
	])('which execution has an event is an hour: after %d ms: %p', (ms, expected) => {
		const key = randomUUID();
		isClaimedHere(contextOf().context, key);
		time.mockReturnValue(START + ms);
		expect(isClaimedHere(contextOf().context, key)).toBe(expected);
	});
});

it('never takes a test event for a repeated one', () => {
	const key = randomUUID();
	expect(isRepeatedFor({ mode: 'manual' }, key)).toBe(false);
	expect(isRepeatedFor({ mode: 'manual' }, key)).toBe(false);
	expect(isRepeatedFor({}, key)).toBe(false);
});

it.each([
	['was answered 200', 200, true, true],
	['n8n refused', 400, true, false],
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
