import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeProperties,
	type IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { InputError, reasonOf } from '../inputError';
import { TRIGGER_VERSION } from '../layouts';
import { liveNode } from '../n8n';
import {
	checkOptions,
	checkVersion,
	OPTIONS,
	RAW,
	readNumber,
	readSwitch,
	type ValuesOf,
} from '../parameters';
import { renameParameters } from '../renamed';
import { authenticationField, requiresToken, webhookSecretsOf } from './access';
import { ANY_EVENT, EVENTS, readChosen } from './catalogue';
import { ipAllowlistField, readAllowlist } from './ipAllowlist';
import { openNotice, setUpNotice } from './panel';

const dropRepeatedField = {
	displayName: 'Drop Repeated Events',
	name: 'deduplicate',
	type: 'boolean',
	default: true,
	description:
		'Whether to drop events that were delivered before. The sender repeats events that it thinks were not received.',
} as const satisfies INodeProperties;

const rememberedHoursField = {
	displayName: 'Drop Repeated Events Within (Hours)',
	name: 'deduplicationHours',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 720 },
	default: 24,
	description: 'How long to remember events to detect duplicates. Busy triggers may forget sooner.',
} as const satisfies INodeProperties;

/** In alphabetical order, as the editor lists them. */
const triggerOptions = [dropRepeatedField, rememberedHoursField, ipAllowlistField];

export type TriggerOptions = ValuesOf<(typeof triggerOptions)[number]>;

const eventsField = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: '[All]',
			value: ANY_EVENT,
			action: 'On any event',
			description: 'Every event, including ones that the API adds later',
		},
		...EVENTS.map(({ name, value, description }) => ({ name, value, description })),
	],
	default: ['message.incoming'],
} as const satisfies INodeProperties;

export const outputModeField = {
	displayName: 'Output Mode',
	name: 'outputMode',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'One Output', value: 'single', description: 'All events leave through one output' },
		{
			name: 'One Output per Event',
			value: 'perEvent',
			description:
				'Each event has its own output, and there is one for all others. Outputs keep their position when you change Trigger On.',
		},
	],
	default: 'single',
	description: 'Whether all events share one output or each has its own',
} as const satisfies INodeProperties;

export const triggerFields: INodeProperties[] = [
	setUpNotice,
	openNotice,
	eventsField,
	authenticationField,
	outputModeField,
	{ ...OPTIONS, options: triggerOptions },
];

/** @returns undefined if repeated events are not dropped. @throws InputError */
export function readRememberedHours(options: TriggerOptions): number | undefined {
	const { deduplicationHours: given } = options;
	const hours = readNumber(given, rememberedHoursField, rememberedHoursField.default);
	return readSwitch(options, dropRepeatedField, dropRepeatedField.default) ? hours : undefined;
}

/** @throws InputError when a newer version of this package has saved the node */
export function openParameters(
	context: IExecuteFunctions | IHookFunctions | IWebhookFunctions,
): void {
	renameParameters(liveNode(context));
	checkVersion(context.getNode(), TRIGGER_VERSION);
}

/**
 * What decides which events get in.
 * @throws InputError, so that none does, when an option gives no usable value
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	openParameters(context);
	checkOptions(triggerFields, (path) => context.getNodeParameter(path, {}, RAW));
	const options = context.getNodeParameter('options', {}) as TriggerOptions;
	return {
		ranges: readAllowlist(options, context),
		hours: readRememberedHours(options),
		chosen: readChosen(context.getNodeParameter(eventsField.name)),
	};
}

/** Tells the user at once, in the editor, why every request would be refused: with a 401, or a 500. */
export async function assertReady(context: IHookFunctions): Promise<void> {
	try {
		if (requiresToken(context)) await webhookSecretsOf(context);
		readSettings(context);
	} catch (error) {
		// The editor shows the message only.
		const problem = error instanceof InputError ? error.sentences : reasonOf(error);
		throw new NodeOperationError(context.getNode(), problem);
	}
}
