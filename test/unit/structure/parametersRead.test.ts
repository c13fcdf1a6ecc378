import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { readRunOptions } from '../../../nodes/BusinessMessaging/run/plan';
import { findReceivers } from '../../../nodes/BusinessMessaging/run/testRecipient';
import { post } from '../../support/triggerPost.ts';
import { callWebhook, SECRET } from '../../support/webhookDouble.ts';
import { incomingEvent } from '../../support/webhookEvents.ts';
import { recordReading } from './parametersRead.ts';

const SEND = { to: '+14155552671', templateName: 'order_update', category: 'utility' };
const LINK = { variablesInput: 'json', variablesJson: ['[link]'] };
const ASK = { ...SEND, message: 'May we?' };
const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T12:00:00Z' };

const POSITIONS = Array.from({ length: 20 }, (_, index) => index + 1);
const ALL_FIELDS = {
	templateText: POSITIONS.map((position) => `{{${position}}}`).join(' '),
	...Object.fromEntries(POSITIONS.map((position) => [`variable${position}`, 'Asha'])),
};

/** Together they reach every place where an operation reads a parameter. */
const READINGS: Record<string, IDataObject[]> = {
	sendTemplate: [
		{ ...SEND, variablesInput: 'none' },
		{ ...SEND, variablesInput: 'list', 'variableList.variables': [{ value: 'Asha' }] },
		{ ...SEND, variablesInput: 'templateText', ...ALL_FIELDS },
		{ ...SEND, ...AUTO, variablesInput: 'json', variablesJson: '{}' },
	],
	sendAndWait: [
		{ ...ASK, variablesInput: 'list', 'variableList.variables': [{ value: '[link]' }] },
		{ ...ASK, variablesInput: 'templateText', ...ALL_FIELDS, variable20: '[link]' },
		{ ...ASK, ...AUTO, ...LINK, responseType: 'answers', 'answers.values': [{ label: 'Yes' }] },
	],
	getStatus: [{ messageId: 'message-1' }],
};

/** Options of Send Template that a reader for several operations looks for. */
const SHARED_READERS: Record<string, string[]> = {
	getStatus: ['spendingLimit', 'retryUnknownOutcome', 'testRecipient'],
	sendAndWait: [
		'atMostOnce',
		'concurrency',
		'rawResponse',
		'sendBetween',
		'sendOnceKey',
		'waitFor',
		'waitTimeout',
	],
};

function displayed(fields: INodeProperties[]) {
	// A field with two conditions of display is listed twice.
	const names = (list: INodeProperties[]) => [...new Set(list.map(({ name }) => name))].sort();
	const options = fields.find(({ name }) => name === 'options')?.options as INodeProperties[];
	return {
		parameters: names(fields.filter(({ type }) => type !== 'notice' && type !== 'hidden')),
		options: names(options),
	};
}

type Names = ReturnType<ReturnType<typeof recordReading>['names']>;

function union(parsedItems: Names[]): Names {
	const all = (key: keyof Names) => [...new Set(parsedItems.flatMap((names) => names[key]))].sort();
	return { parameters: all('parameters'), options: all('options') };
}

describe('what is displayed is read, and nothing else is', () => {
	it.each(OPERATIONS.map(({ value, operation }) => [value, operation] as const))(
		'in %s',
		async (value, operation) => {
			const parsedItem = READINGS[value].map(async (values) => {
				const { context, names } = recordReading(values);
				operation.read(context, 0, Date.UTC(2026, 1, 1));
				readRunOptions(context, await findReceivers(context));
				return names();
			});
			const parsedItems = await Promise.all(parsedItem);
			const { parameters, options } = displayed(operation.fields);
			const unused = SHARED_READERS[value] ?? [];
			expect(union(parsedItems)).toEqual({ parameters, options: [...options, ...unused].sort() });
		},
	);

	it('in the trigger', async () => {
		const trigger = new BusinessMessagingTrigger();
		const events = ['message.incoming'];
		const webhook = recordReading({ events });
		const { items } = await callWebhook(
			{ query: { token: SECRET }, rawBody: Buffer.from(JSON.stringify(incomingEvent())) },
			{ parameters: webhook.values },
		);
		expect(items).toHaveLength(1);

		const execute = recordReading({ events, outputMode: 'perEvent' });
		await trigger.execute.call({
			...execute.context,
			getMode: () => 'manual',
			getExecuteData: () => ({ data: { main: [] } }),
		} as unknown as IExecuteFunctions);
		expect(union([webhook.names(), execute.names()])).toEqual(
			displayed(trigger.description.properties),
		);
	});
});

describe('without options', () => {
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60, retryUnknownOutcome: false };
	const wait = undefined;

	// README, Good to know: 60 requests a minute by default
	it.each([
		[
			'sendTemplate',
			{ ...SEND, variablesInput: 'none' },
			{ dryRun: false, rawResponse: false, wait, limits },
		],
		['getStatus', { messageId: 'message-1' }, { rawResponse: false, wait, limits }],
	])('%s uses the published defaults', (value, values, expected) => {
		const { context } = recordReading(values);
		const entry = OPERATIONS.find((operation) => operation.value === value);
		expect(entry?.operation.read(context, 0, 0)).toMatchObject(expected);
		expect(readRunOptions(context, 'customers')).toEqual({
			concurrency: 10,
			spendingLimit: Infinity,
		});
	});

	it('the trigger takes events of any age from any address, once, and without their bytes', async () => {
		const old = { ...incomingEvent(), timestamp: '2001-01-01T00:00:00Z' };
		const { body, items } = await post(old, { ip: '203.0.113.7' });
		expect(body).toEqual({ status: 'accepted' });
		expect(items?.[0]).not.toHaveProperty('rawBody');
		expect((await post(old)).body).toEqual({ status: 'duplicate' });
	});
});
