import type { IWebhookFunctions } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { createProcessMemory } from '../../../../nodes/BusinessMessaging/events/duplicates/processMemory';
import { createVirtualClock } from '../../../support/virtualClock.ts';

let clock = createVirtualClock();
let memory = createProcessMemory(clock);
beforeEach(() => {
	clock = createVirtualClock();
	memory = createProcessMemory(clock);
});

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

type Scope = Parameters<typeof contextOf>[0];

/** What becomes of a delivery that n8n stores and answers 200. */
async function storedFor(scope: Scope, key: string, hours = 24) {
	const { context, response } = contextOf(scope);
	const arrival = await memory.arrive(context, key, hours);
	response.end(200);
	return arrival;
}

it('knows a delivery again, for each node of each workflow by itself', async () => {
	const key = randomUUID();
	const scopes = [
		{},
		{ node: 'other' },
		{ workflow: 'other' },
		{ workflow: '1', node: '12' },
		{ workflow: '11', node: '2' },
	];
	const deliver = async () =>
		await Promise.all(scopes.map(async (scope) => await storedFor(scope, key)));
	expect(await deliver()).toEqual(scopes.map(() => 'first'));
	expect(await deliver()).toEqual(scopes.map(() => 'stored'));
});

describe('the time that a process remembers', () => {
	const HOUR_MS = 3_600_000;

	it.each([
		[2 * HOUR_MS - 1, 'stored'],
		[2 * HOUR_MS, 'first'],
	])('a delivery is two hours if so set: after %d ms it is %s', async (ms, expected) => {
		const key = randomUUID();
		await storedFor({}, key, 2);
		clock.pass(ms);
		expect(await storedFor({}, key, 2)).toBe(expected);
	});

	it.each([
		[HOUR_MS - 1, false],
		[HOUR_MS, true],
	])(
		'which execution has an event is an hour: after %d ms another may claim it: %p',
		(ms, expected) => {
			const key = randomUUID();
			memory.claim(contextOf().context, key);
			clock.pass(ms);
			expect(memory.claim(contextOf().context, key)).toBe(expected);
		},
	);
});

it('never takes a test event for a repeated one', async () => {
	const key = randomUUID();
	expect(await storedFor({ mode: 'manual' }, key)).toBe('first');
	expect(await storedFor({ mode: 'manual' }, key)).toBe('first');
	expect(await storedFor({}, key)).toBe('first');
});

describe('an event is under way until n8n', () => {
	it.each<[string, number, boolean, string]>([
		['has answered 200', 200, true, 'stored'],
		['has refused it', 400, true, 'first'],
		['could not store it', 500, true, 'first'],
		['has lost the sender', 200, false, 'first'],
	])('%s; a copy that came before waits for that', async (_, status, isReceived, expected) => {
		const key = randomUUID();
		const { context, response } = contextOf();
		expect(await memory.arrive(context, key, 24)).toBe('first');
		const copy = memory.arrive(contextOf().context, key, 24);
		response.end(status, isReceived);
		expect(await copy).toBe(expected);
	});
});

it('counts the next delivery when the sender was gone before n8n got to the first', async () => {
	const key = randomUUID();
	const { context, response } = contextOf();
	response.end(200, false);
	expect(await memory.arrive(context, key, 24)).toBe('first');
	expect(await storedFor({}, key)).toBe('first');
});

it('lets one execution of this process have an event', () => {
	const key = randomUUID();
	expect(memory.claim(contextOf().context, key)).toBe(true);
	expect(memory.claim(contextOf().context, key)).toBe(false);
	expect(memory.claim(contextOf({ node: 'other' }).context, key)).toBe(true);
});
