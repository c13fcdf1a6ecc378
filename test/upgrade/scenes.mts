import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL, TRIGGER } from '../../playground/n8n/typeNames.mts';
import { ASK } from '../support/askingWorkflow.mts';
import { inTheirFields } from '../support/inTheirFields.mts';
import { ROWS, webhookNode } from '../support/nativeNodes.mts';
import { OPERATIONS, TRIGGER as TRIGGER_FIELDS } from '../unit/structure/publicInterface.mts';

/** What a fixture knows besides the database: when it was made, and what had happened by then. */
export interface Facts {
	/** Epoch ms. */
	madeAt: number;
	/** Everybody who had a message, once for each. */
	recipients: string[];
	/** The paths of the workflows' production URLs, and their IDs. */
	workflows: Record<string, { id: string; path: string }>;
	/** The paths of the waiting questions' links. */
	questions: Record<string, string>;
}

type Credential = { id: string; name: string };

/** The scenes whose workflows send, and to how many customers. */
export const SCENES = {
	Failed: 6,
	Killed: 30,
	Stopped: 30,
	Waiting: 2,
	Keys: 3,
	Capped: 3,
	Options: 3,
};
export type Scene = keyof typeof SCENES;

export const QUESTIONS = {
	approval: {},
	answers: { answers: { values: [{ label: 'Friday' }, { label: 'Monday' }] } },
	freeText: {},
};

/** @param item from 0 */
export function customer(scene: string, item: number): string {
	const place = [...Object.keys(SCENES), ...Object.keys(QUESTIONS)].indexOf(scene);
	return `+1415555${String(1000 + 100 * place + item)}`;
}

export function rowsOf(scene: Scene, from = 0) {
	return Array.from({ length: SCENES[scene] }, (_, item) => ({ to: customer(scene, from + item) }));
}

/** Of the scene Options: the last of its rows, whenever it runs. */
export const OPTED_OUT = [customer('Options', 2), customer('Options', 12)];

const cap = (name: string) => ({
	frequencyCap: { cap: { messages: 1, period: 7, unit: 'days', name } },
});

const HOURS = { from: '00:00', until: '23:59', timeZone: 'other', otherTimeZone: 'Asia/Kolkata' };
const MAY_HAVE_IT = [0, 1, 2, 10, 11, 12].map((item) => customer('Options', item));

/** Every option of Send Template but Dry Run, which would send nothing. */
const OPTIONS = {
	budget: { budget: { amount: 1000, period: 'month' } },
	...cap('options'),
	concurrency: 2,
	defaultCountry: 'US',
	doNotSendTo: OPTED_OUT.join('\n'),
	includeInputFields: true,
	keepWhitespace: true,
	rawResponse: false,
	requestsPerMinute: 600,
	sendBetween: { hours: HOURS },
	sendOnceKey: '={{ "options " + $json.to }}',
	sendOnlyTo: { only: { who: 'list', numbers: MAY_HAVE_IT.join('\n') } },
	sendUntil: { time: { end: 'minutes', minutes: 30 } },
	spendingLimit: 5,
	testMessages: 2,
	testRecipient: '+14155552671',
	timeout: 20,
	waitFor: 'delivered',
	waitTimeout: 30,
};
const ASK_OPTIONS = {
	budget: OPTIONS.budget,
	defaultCountry: 'US',
	keepWhitespace: true,
	pageTexts: { texts: { lang: 'de', heading: 'Frage', thanks: 'Danke' } },
	requestsPerMinute: 600,
	spendingLimit: 5,
	testRecipient: '+14155552671',
	timeout: 20,
};
const TRIGGER_PARAMETERS = { events: ['*'], authentication: 'none', outputMode: 'perEvent' };
const TRIGGER_OPTIONS = {
	deduplicate: true,
	deduplicationHours: 720,
	ipAllowlist: '127.0.0.1, ::1',
};

/** All workflows of a fixture, by their names. @throws when an option is missing */
export function workflowsOf(credential: Credential): Record<string, Workflow> {
	const operationOptions = (name: string) =>
		[OPERATIONS[name].options, OPERATIONS[name].expertOptions].flatMap((field) =>
			Object.keys(field.options ?? {}),
		);
	assertComplete(operationOptions('sendTemplate'), { ...OPTIONS, dryRun: true });
	assertComplete(operationOptions('sendAndWait'), { ...ASK_OPTIONS, dryRun: true });
	assertComplete(Object.keys(TRIGGER_FIELDS.options.options ?? {}), TRIGGER_OPTIONS);

	const node = (parameters: object, settings: Partial<NodeSettings> = {}): NodeSettings => ({
		type: ACTION,
		credentials: { [CREDENTIAL]: credential },
		parameters: inTheirFields({ resource: 'message', ...parameters }),
		...settings,
	});
	const given = {
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		category: 'marketing',
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}',
		variable1: 'Asha',
	};
	const send = (more: object = {}, settings = {}) =>
		node({ ...given, options: { concurrency: 1, requestsPerMinute: 0, ...more } }, settings);
	const sending = (name: string, options?: object) =>
		chain(name, { Hook: webhookNode(), Rows: ROWS, Send: send(options) });
	const asking = Object.entries(QUESTIONS).map(([responseType, parameters]) => {
		const to = customer(responseType, 0);
		const ask = node({ ...ASK, responseType, to, ...parameters, options: ASK_OPTIONS });
		return chain(responseType, { Hook: webhookNode(), Ask: ask, After: NOTHING });
	});
	const all = [
		...(['Failed', 'Killed', 'Stopped'] as const).map((name) => sending(name)),
		sending('Keys', { sendOnceKey: '={{ $json.to }}' }),
		sending('Capped', cap('capped')),
		inRounds(send()),
		withBranches(send(OPTIONS, { onError: 'continueErrorOutput' })),
		chain('Dry', { Hook: webhookNode(), Rows: ROWS, Send: send({ dryRun: true }) }),
		chain('Events', {
			Trigger: {
				type: TRIGGER,
				typeVersion: 2,
				webhookId: 'upgrade-events',
				parameters: { ...TRIGGER_PARAMETERS, options: TRIGGER_OPTIONS },
			},
			After: NOTHING,
		}),
		...asking,
	];
	return Object.fromEntries(all.map((workflow) => [workflow.name, workflow]));
}

/** Between two rounds of the loop. */
export const WAIT_MINUTES = 4;

const NOTHING: NodeSettings = { type: 'n8n-nodes-base.noOp' };
const to = (name: string) => [{ node: name, type: 'main', index: 0 }];

/** One item in each round of a loop, with a wait between them. */
function inRounds(send: NodeSettings): Workflow {
	const resume = { resume: 'timeInterval', amount: WAIT_MINUTES, unit: 'minutes' };
	const Wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1, webhookId: 'upgrade-wait' };
	const workflow = chain('Waiting', {
		Hook: webhookNode(),
		Rows: ROWS,
		Loop: {
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1 },
		},
		Send: send,
		Wait: { ...Wait, parameters: resume },
	});
	const rounds = { Loop: { main: [[], to('Send')] }, Wait: { main: [to('Loop')] } };
	return { ...workflow, connections: { ...workflow.connections, ...rounds } };
}

/** What each output leads to, by its number. */
export const BRANCHES = ['WasSent', 'WasSkipped', 'HasFailed'];

function withBranches(send: NodeSettings): Workflow {
	const ends = Object.fromEntries(BRANCHES.map((name) => [name, NOTHING]));
	const workflow = chain('Options', { Hook: webhookNode(), Rows: ROWS, Send: send, ...ends });
	const { Hook, Rows } = workflow.connections;
	return { ...workflow, connections: { Hook, Rows, Send: { main: BRANCHES.map(to) } } };
}

function assertComplete(names: string[], options: object) {
	const missing = names.filter((name) => !(name in options));
	if (missing.length > 0) throw new Error(`No fixture has the options ${missing.join(', ')}.`);
}

/** Events whose deliveries are repeated in a later version. */
export const EVENTS = ['message.incoming', 'message.read', 'message.failed'].map(
	(event, index) => ({
		event,
		timestamp: '2026-11-01T10:00:00.000Z',
		data: { from: '+14155552671', to: '+14155552671', message_id: `m${index}`, text: 'Hello' },
	}),
);
