import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, quote } from '../../inputError';
import { internalsOf } from '../../n8n';
import { readChoice, readGroup } from '../../parameters';
import { phoneOf, readRecipient } from '../../template/phoneNumber';
import type { Step } from '../sendTemplate/sending';
import { numbersIn } from './numberList';

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

const allowed = {
	path: `${GROUP_PATH}.${numbersField.name}`,
	called: 'Send Only To',
	// It would allow everybody.
	takesColumn: false,
	phonesOf: (entry: unknown, country: string, name: string) => [
		phoneOf(readRecipient(entry, country, name, 'Enter each number by itself.')),
	],
};

/** Send Only To: an item with another number is refused when it is read. */
export const onlyAllowed: Step = {
	option: {
		field: sendOnlyToField,
		readsItself: true,
		read: (value, reading) => {
			const { context, itemIndex, to } = reading;
			readGroup(value, sendOnlyToField);
			const given = context.getNodeParameter(`${GROUP_PATH}.${whoField.name}`, itemIndex);
			const isList = readChoice(given, whoField) === 'list';
			const isAllowed = isList
				? numbersIn(allowed, reading).phones.has(phoneOf(to))
				: phoneOf(to) === writersPhone(context, itemIndex);
			if (isAllowed) return {};
			throw new InputError(
				`${quote(to)} is not ${isList ? 'in the list of Send Only To' : 'the number of who wrote, and Send Only To allows no other'}`,
				'Leave the item out with a Filter node, or change Send Only To under Options.',
				'notAllowed',
			);
		},
	},
	policy: () => undefined,
};

const TRIGGER = /(?:^|\.)businessMessagingTrigger$/;

/** By what the trigger has put out, which no item and no model can change. */
function writersPhone(context: IExecuteFunctions, itemIndex: number): string {
	const { workflow, runExecutionData } = internalsOf(context);
	try {
		const runs = new Map(Object.entries(runExecutionData!.resultData!.runData));
		const triggers = Object.values(workflow!.nodes).filter(({ type }) => TRIGGER.test(type));
		const items = triggers.flatMap(({ name }) => {
			const outputs = runs.get(name)?.at(-1)?.data?.main ?? [];
			return outputs.flatMap((each) => each ?? []).map((item) => ({ name, ...item }));
		});
		const proxy = () => context.getWorkflowDataProxy(itemIndex) as unknown as Linked;
		const event = items.length > 1 ? proxy().$(items[0].name).item : items[0];
		return phoneOf(readRecipient(event.json.phone));
	} catch {
		// There is no event, it has no number, or n8n does not tell which of several the item belongs to.
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
