import type { INodePropertyTypeOptions, NodePropertyTypes } from 'n8n-workflow';

export interface Parameter {
	type: NodePropertyTypes;
	required?: true;
	password?: true;
	/** Of an option also what counts without it; an option that has none here is off without it. */
	default?: unknown;
	/** What an option begins with that counts as off until it is added. */
	added?: unknown;
	values?: string[];
	/** No expression can be put in. */
	fixed?: true;
	/** Limits, an editor, rows: what the editor is told of the type. */
	editor?: INodePropertyTypeOptions;
	/** Of a collection. */
	options?: Record<string, Parameter>;
}

export type Interface = Record<string, Parameter>;

/** Of these values, whose order means nothing to a stored workflow. */
function choice(values: string, byDefault?: string): Parameter {
	const listed: Parameter = { type: 'options', values: values.split(' ').sort() };
	return byDefault === undefined ? listed : { ...listed, default: byDefault };
}

function texts(names: string[], more?: Partial<Parameter>): Interface {
	return Object.fromEntries(names.map((name) => [name, { type: 'string', ...more }]));
}

const collection = (options: Interface): Parameter => ({ type: 'collection', options });

/** With limits. */
const number = (byDefault: number, minValue: number, maxValue?: number): Parameter => ({
	type: 'number',
	default: byDefault,
	editor: maxValue === undefined ? { minValue } : { minValue, maxValue },
});

const WAIT: Interface = { waitFor: choice('none delivered read') };
const WAIT_TIMEOUT: Interface = { waitTimeout: { type: 'number' } };
const ROWS: Interface = { includeInputFields: { type: 'boolean', added: true } };
const CALL: Interface = {
	requestsPerMinute: { type: 'number', default: 60 },
	timeout: { type: 'number', default: 30 },
};
const MANY_CALLS: Interface = {
	...CALL,
	concurrency: { type: 'number', default: 10 },
	rawResponse: { type: 'boolean', default: false },
};
const TEXT: Interface = { keepWhitespace: { type: 'boolean', default: false } };

/**
 * The names and values that users' workflows and credentials store. A change here breaks them: what
 * is new is added, and nothing is renamed, removed or given another meaning.
 */
export const CREDENTIAL: Interface = {
	baseUrl: { type: 'string', required: true, default: '' },
	apiKey: { type: 'string', required: true, password: true, default: '' },
	webhookSecret: { type: 'string', password: true, default: '' },
	previousWebhookSecret: { type: 'string', password: true, default: '' },
};

/** What is sent, and to whom. */
const MESSAGE: Interface = {
	to: { type: 'string', required: true },
	templateName: { type: 'string', required: true },
	category: choice('utility marketing authentication service auto', 'utility'),
	customerLastMessageAt: { type: 'dateTime', required: true },
	fallbackCategory: choice('utility marketing authentication', 'utility'),
	variablesInput: choice('none templateText json', 'templateText'),
	// Where expressions can be put in, a pasted {{1}} would become one.
	templateText: { type: 'string', fixed: true, editor: { rows: 2 } },
	...texts(
		Array.from({ length: 20 }, (_, index) => `variable${index + 1}`),
		{ required: true },
	),
	variablesJson: { type: 'json' },
};
const SEND_OPTIONS: Interface = {
	defaultCountry: { type: 'options' },
	dryRun: { type: 'boolean', added: true },
	spendingLimit: { type: 'number', editor: { minValue: 0, numberPrecision: 4 } },
	testRecipient: { type: 'string', added: '' },
};

/** Which messages are held back. */
const MANNERS: Interface = {
	budget: {
		type: 'fixedCollection',
		default: { budget: { amount: 10, period: 'day' } },
		options: {
			'budget.amount': { type: 'number', default: 10, editor: { minValue: 0, numberPrecision: 4 } },
			'budget.period': choice('conversation day hour month', 'day'),
			'budget.conversation': { type: 'string', default: '' },
			'budget.people': number(0, 0, 50),
			'budget.name': { type: 'string', default: '' },
		},
	},
	doNotSendTo: { type: 'string', added: '', editor: { rows: 4 } },
	frequencyCap: {
		type: 'fixedCollection',
		default: { cap: { messages: 1, period: 24, unit: 'hours' } },
		options: {
			'cap.messages': number(1, 1, 10),
			'cap.period': number(24, 1),
			'cap.unit': choice('minutes hours days', 'hours'),
			'cap.name': { type: 'string', default: '' },
		},
	},
	sendBetween: {
		type: 'fixedCollection',
		default: { hours: { from: '09:00', until: '20:00', timeZone: 'recipient' } },
		options: {
			'hours.from': { type: 'string', default: '09:00' },
			'hours.until': { type: 'string', default: '20:00' },
			'hours.timeZone': choice('recipient workflow other', 'recipient'),
			'hours.otherTimeZone': { type: 'string', default: '' },
		},
	},
	sendOnceKey: { type: 'string', added: '' },
	sendOnlyTo: {
		type: 'fixedCollection',
		default: { only: { who: 'whoWrote' } },
		options: {
			'only.who': choice('list whoWrote', 'whoWrote'),
			'only.numbers': { type: 'string', default: '' },
		},
	},
	sendUntil: {
		type: 'fixedCollection',
		default: { time: { end: 'minutes', minutes: 10 } },
		options: {
			'time.end': choice('dateTime minutes', 'minutes'),
			'time.dateTime': { type: 'dateTime', default: '' },
			'time.minutes': number(10, 1),
		},
	},
};

/** From an older version n8n would hide their new names, and it would send. */
export const NEVER_RENAMED = ['dryRun', 'spendingLimit', 'testRecipient', ...Object.keys(MANNERS)];

const PAGE_TEXTS =
	'heading codeLabel answerLabel send reasonLabel missing wrongCode thanks close answered expired wrongLink notStored toolValues more willSend customerReads computedLater';

export const OPERATIONS: Record<string, Interface> = {
	sendTemplate: {
		...MESSAGE,
		options: collection({ ...ROWS, ...WAIT, ...SEND_OPTIONS, ...MANNERS }),
		expertOptions: collection({
			...MANY_CALLS,
			...TEXT,
			...WAIT_TIMEOUT,
			testMessages: { type: 'number', added: 3, editor: { minValue: 1, maxValue: 100 } },
		}),
	},
	sendAndWait: {
		...MESSAGE,
		message: { type: 'string', required: true, default: '', editor: { rows: 4 } },
		responseType: choice('approval answers freeText', 'approval'),
		approvalOptions: {
			type: 'fixedCollection',
			options: {
				'values.approvalType': choice('single double', 'double'),
				'values.approveLabel': { type: 'string', default: 'Approve' },
				'values.disapproveLabel': { type: 'string', default: 'Decline' },
				'values.askReason': { type: 'boolean', default: true },
			},
		},
		answers: {
			type: 'fixedCollection',
			default: { values: [{ label: '' }, { label: '' }] },
			editor: { multipleValues: true, multipleValueButtonText: 'Add Answer', sortable: true },
			options: { 'values.label': { type: 'string', default: '' } },
		},
		limitWaitTime: number(24, 0),
		limitWaitTimeUnit: choice('seconds minutes hours days', 'hours'),
		options: collection({
			...SEND_OPTIONS,
			budget: MANNERS.budget,
			pageTexts: {
				type: 'fixedCollection',
				options: {
					'texts.lang': choice('ar bn de en es fr hi id pt ta ur', 'en'),
					...texts(PAGE_TEXTS.split(' ').map((name) => `texts.${name}`)),
				},
			},
		}),
		expertOptions: collection({ ...CALL, ...TEXT }),
	},
	getStatus: {
		messageId: { type: 'string', required: true },
		options: collection({ ...ROWS, ...WAIT }),
		expertOptions: collection({ ...MANY_CALLS, ...WAIT_TIMEOUT }),
	},
};

export const ACTION: Interface = {
	resource: { ...choice('message', 'message'), fixed: true },
	operation: { ...choice(Object.keys(OPERATIONS).join(' '), 'sendTemplate'), fixed: true },
};

/** Of each operation that can be an agent's tool, where it is one. */
export const TOOL: Interface = {
	toolDescription: { type: 'string', required: true },
};

const EVENTS =
	'* message.incoming message.sent message.delivered message.read message.failed flow.submitted flow.updated';

export const TRIGGER: Interface = {
	events: {
		type: 'multiOptions',
		required: true,
		default: ['message.incoming'],
		values: EVENTS.split(' ').sort(),
	},
	authentication: choice('secretToken none', 'secretToken'),
	outputMode: { ...choice('single perEvent', 'single'), fixed: true },
	options: collection({
		deduplicate: { type: 'boolean', default: true },
		deduplicationHours: number(24, 1, 720),
		ipAllowlist: { type: 'string', added: '' },
	}),
};
