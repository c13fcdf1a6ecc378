import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { readIncludesInput, readRunOptions } from '../../../nodes/BusinessMessaging/run/plan';
import { findReceivers } from '../../../nodes/BusinessMessaging/run/testRecipient';
import { incoming, callWebhook, SECRET } from '../../support/webhookDouble.mts';

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
		{ ...SEND, variablesInput: 'templateText', ...ALL_FIELDS },
		{ ...SEND, ...AUTO, variablesInput: 'json', variablesJson: '{}' },
	],
	sendAndWait: [
		{ ...ASK, ...LINK },
		{ ...ASK, variablesInput: 'templateText', ...ALL_FIELDS, variable20: '[link]' },
		{ ...ASK, ...AUTO, ...LINK, responseType: 'answers', 'answers.values': [{ label: 'Yes' }] },
	],
	getStatus: [{ messageId: 'message-1' }],
};

/** Options of Send Template that a reader for several operations looks for. */
const SHARED_READERS: Record<string, string[]> = {
	getStatus: ['spendingLimit', 'testRecipient'],
	sendAndWait: [
		'concurrency',
		'frequencyCap',
		'includeInputFields',
		'rawResponse',
		'waitFor',
		'waitTimeout',
	],
};

/**
 * Notes down what code reads: parameters by their names, options as `options.name`.
 * @param values by the path that code asks for
 */
function recordReading(values: IDataObject) {
	const names = new Set<string>();
	const noting = (target: IDataObject, prefix = '') =>
		new Proxy(target, {
			get(object, name) {
				// What was entered is asked for with a "=".
				names.add(prefix + String(name).replace(/^=/, ''));
				return object[String(name)];
			},
			has(object, name) {
				names.add(prefix + String(name));
				return name in object;
			},
		});
	const all: IDataObject = { ...values, options: noting({}, 'options.') };
	/** What an operation reads them from. */
	const context = {
		getNodeParameter(path: string, _itemIndex: number, fallback?: unknown) {
			const [parameter] = path.split('.');
			names.add(parameter);
			if (parameter === 'options') names.add(path);
			return all[path] ?? fallback;
		},
		getTimezone: () => 'UTC',
		getMode: () => 'manual',
		getContext: () => ({}),
		getWorkflow: () => ({ id: 'w1' }),
		getExecuteData: () => ({ data: { main: [] } }),
		getNode: () => ({ type: 'businessMessaging' }),
		getSignedResumeUrl: () => 'https://n8n.example.com/webhook-waiting/1/2',
	} as unknown as IExecuteFunctions;
	return { context, names, asObject: noting(all) };
}

function displayed(fields: INodeProperties[]): string[] {
	const shown = fields.filter(({ type }) => type !== 'notice' && type !== 'hidden');
	return shown.flatMap(({ name, type, options = [] }) =>
		type === 'collection' ? [name, ...options.map((each) => `options.${each.name}`)] : name,
	);
}

describe('what is displayed is read, and nothing else is', () => {
	it.each(OPERATIONS.map(({ value, operation }) => [value, operation] as const))(
		'in %s',
		async (value, operation) => {
			const read: string[] = [];
			for (const values of READINGS[value]) {
				const { context, names } = recordReading(values);
				operation.read(context, 0, Date.UTC(2026, 1, 1));
				readRunOptions(context, await findReceivers(context));
				readIncludesInput(context);
				read.push(...names);
			}
			const unused = (SHARED_READERS[value] ?? []).map((name) => `options.${name}`);
			expect(new Set(read)).toEqual(new Set([...displayed(operation.fields), ...unused]));
		},
	);

	it('in the trigger', async () => {
		const trigger = new BusinessMessagingTrigger();
		const events = ['message.incoming'];
		const webhook = recordReading({ events });
		const rawBody = Buffer.from(JSON.stringify(incoming()));
		const parameters = webhook.asObject;
		const { items } = await callWebhook({ query: { token: SECRET }, rawBody }, { parameters });
		expect(items).toHaveLength(1);
		const execute = recordReading({ events, outputMode: 'perEvent' });
		await trigger.execute.call(execute.context);
		expect(new Set([...webhook.names, ...execute.names])).toEqual(
			new Set(displayed(trigger.description.properties)),
		);
	});
});

// docs/good-to-know.md: 60 requests a minute by default
it.each([
	['sendTemplate', { ...SEND, variablesInput: 'none' }, { dryRun: false }],
	['getStatus', { messageId: 'message-1' }, {}],
])('without options %s uses the published defaults', (value, values, more) => {
	const { context } = recordReading(values);
	const entry = OPERATIONS.find((operation) => operation.value === value);
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60 };
	expect(entry?.operation.read(context, 0, 0)).toMatchObject({
		...{ rawResponse: false, wait: undefined, limits },
		...more,
	});
	const ofRun = { concurrency: 10, spendingLimit: Infinity };
	expect(readRunOptions(context, 'customers')).toEqual(ofRun);
	expect(readIncludesInput(context)).toBe(false);
});
