import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { containerName, InputError, joinSentences, NOTHING_SENT, quote } from '../../inputError';
import { internalsOf } from '../../n8n';
import { enteredAt, RAW, readChoice } from '../../parameters';
import { phoneOf, readRecipient } from '../../template/phoneNumber';
import { readsItem } from '../../template/reads';
import { expressionsIn } from '../../template/text';
import { isBlank, linesOf, textOf } from '../../values';
import { wholeListOf } from '../sendTemplate/column';
import type { Step } from '../sendTemplate/sending';

const whoField = {
	displayName: 'Who',
	name: 'who',
	type: 'options',
	options: [
		{ name: 'Numbers in a List', value: 'list' },
		{
			name: 'Who Wrote',
			value: 'whoWrote',
			description:
				'The phone of the event with which a Business Messaging Trigger started this execution',
		},
	],
	default: 'whoWrote',
} as const satisfies INodeProperties;

const numbersField = {
	displayName: 'Numbers',
	name: 'numbers',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: "e.g. {{ $('Team').all().map((row) => row.json.phone) }}",
	description: 'One a line, or a list that an expression gives. It may not read the item.',
	displayOptions: { show: { who: ['list'] } },
} as const satisfies INodeProperties;

const sendOnlyToField = {
	displayName: 'Send Only To',
	name: 'sendOnlyTo',
	type: 'fixedCollection',
	placeholder: 'Add Numbers',
	default: { only: { who: whoField.default } },
	description:
		'The only numbers that may get a message. An item with another one is refused before anything is sent. For the tool of an AI agent, whose model could be talked into another number.',
	options: [{ displayName: 'Only', name: 'only', values: [whoField, numbersField] }],
} as const satisfies INodeProperties;

const GROUP_PATH = `options.${sendOnlyToField.name}.only`;

/** Send Only To: an item with another number is refused when it is read. */
export const onlyAllowed: Step = {
	option: {
		field: sendOnlyToField,
		// The list is computed once per run.
		compute: (context, itemIndex) =>
			context.getNodeParameter(`options.${sendOnlyToField.name}`, itemIndex, {}, RAW),
		read: (_, { context, itemIndex, to, defaultCountry }) => {
			const { name, default: unset } = whoField;
			const given = context.getNodeParameter(`${GROUP_PATH}.${name}`, itemIndex, unset);
			const who = readChoice(given, whoField, ['list', 'whoWrote']);
			const isAllowed =
				who === 'list'
					? allowedBy(context, defaultCountry).has(phoneOf(to))
					: phoneOf(to) === writersPhone(context, itemIndex);
			if (isAllowed) return {};
			throw new InputError(
				`${quote(to)} is not ${who === 'list' ? 'in the list of Send Only To' : 'the number of who wrote, and Send Only To allows no other'}`,
				joinSentences(
					NOTHING_SENT,
					'Leave the item out with a Filter node, or change Send Only To under Options',
				),
				'notAllowed',
			);
		},
	},
	policy: () => undefined,
};

/** By the default country of the numbers. A list may be long, and so may a run. */
const lists = new WeakMap<IExecuteFunctions, Map<string | null, ReadonlySet<string>>>();

function allowedBy(context: IExecuteFunctions, country: string | null): ReadonlySet<string> {
	const known = lists.get(context) ?? new Map<string | null, ReadonlySet<string>>();
	lists.set(context, known);
	const list = known.get(country) ?? readAllowed(context, country);
	known.set(country, list);
	return list;
}

function readAllowed(context: IExecuteFunctions, country: string | null): ReadonlySet<string> {
	const path = `${GROUP_PATH}.${numbersField.name}`;
	const entered = enteredAt(context, 0, path);
	const value: unknown = context.getNodeParameter(path, 0, '');
	const whole = wholeListOf(entered, value);
	if (whole !== undefined || expressionsIn(entered).some(readsItem)) {
		const list = whole ?? "$('Team').all().map((row) => row.json.phone)";
		throw new InputError(
			'The list of Send Only To reads the item, or what a model says, so it would allow every number',
			`Use the whole list of a node before, such as {{ ${list} }}.`,
		);
	}
	if (!Array.isArray(value) && !textOf(value)) {
		const what = isBlank(value) ? 'empty' : (containerName(value) ?? quote(value));
		throw new InputError(
			`The list of Send Only To is ${what}`,
			'Enter one number a line, or let an expression give a list. An empty list sends to nobody.',
		);
	}
	const entries: unknown[] = Array.isArray(value) ? value : linesOf(textOf(value));
	const numbers = entries.flatMap((entry, index) =>
		isBlank(entry)
			? []
			: readRecipient(entry, country, `Number ${index + 1} of Send Only To`, 'Use one entry each.'),
	);
	return new Set(numbers.map(phoneOf));
}

const TRIGGER = /(?:^|\.)businessMessagingTrigger$/;

/** By what the trigger has put out, which no item and no model can change. */
function writersPhone(context: IExecuteFunctions, itemIndex: number): string {
	const { workflow, runExecutionData } = internalsOf(context);
	const { runData = {} } = runExecutionData?.resultData ?? {};
	const triggers = Object.values(workflow?.nodes ?? {}).filter(({ type }) => TRIGGER.test(type));
	const items = triggers.flatMap(({ name }) => {
		const outputs = Object.hasOwn(runData, name) ? runData[name].at(-1)?.data?.main : undefined;
		return (outputs ?? []).flatMap((output) => output ?? []).map((item) => ({ name, ...item }));
	});
	const ofItem = () => {
		const { $: nodeCalled } = context.getWorkflowDataProxy(itemIndex) as unknown as Linked;
		return [nodeCalled(items[0].name).item];
	};
	try {
		const [event, other] = items.length > 1 ? ofItem() : items;
		if (event && !other) return phoneOf(readRecipient(event.json.phone));
	} catch {
		// n8n does not tell to which event the item belongs, or the event has no number.
	}
	throw new InputError(
		'Send Only To allows only who wrote, but no event of a Business Messaging Trigger with a phone number started this execution',
		'Start the workflow with a Business Messaging Trigger, or give Send Only To a list. A sub-workflow gets no event of its own.',
	);
}

/** What n8n's types leave out. */
interface Linked {
	$: (node: string) => { item: { json: { phone?: unknown } } };
}
