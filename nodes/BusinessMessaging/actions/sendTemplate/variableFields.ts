import {
	type DisplayCondition,
	type IDisplayOptions,
	type INodeProperties,
	safeRegex,
} from 'n8n-workflow';
import { spellings } from '../../template/placeholders';
import { MAX_FIELDS } from '../../template/variables';
import { displayFor, where } from '../fields';

/** Shows a field wherever a message is sent. */
export const forSend = displayFor('sendTemplate', 'sendAndWait');

const POSITIONS = Array.from({ length: MAX_FIELDS }, (_, index) => index + 1);
const OTHER_SOURCES = ['none', 'json'];
const NOT_THE_TEXT: DisplayCondition[] = [{ _cnd: { not: 'templateText' } }];
/** {{1}} has a value. Asks for its length, because n8n shows every field whose `show` asks for an expression. */
const HAS_VALUES = { '/variable1.length': [{ _cnd: { gt: 0 } }] };

/**
 * n8n from 2.0 to 2.34. Up to 2.12 it stores a pasted text with "=" in front, and shows every field whose `show` asks for
 * such a text.
 */
const isOlder = safeRegex === undefined;

/**
 * Shows a field if the variables come from a template text with this placeholder. n8n evaluates the condition several
 * times per execution, for every node of a workflow, and from 2.35 on a regular expression takes it 0.1 ms.
 */
function wherePlaceholder(number: number): IDisplayOptions {
	if (isOlder) {
		const regex = `^(?![\\s\\S]*\\{\\{ ?${number} ?\\}\\})`;
		return hiddenWhere([{ _cnd: { regex } }]);
	}
	return {
		show: { ...forSend.show, templateText: inText(number) },
		hide: { variablesInput: OTHER_SOURCES },
	};
}

function inText(number: number): DisplayCondition[] {
	return spellings(number).map((spelling) => ({ _cnd: { includes: spelling } }));
}

function hiddenWhere(texts: DisplayCondition[]): IDisplayOptions {
	return { ...forSend, hide: { variablesInput: OTHER_SOURCES, templateText: texts } };
}

type Notice = Pick<INodeProperties, 'displayName' | 'name' | 'displayOptions'>;

function notice({ displayOptions, ...names }: Notice): INodeProperties {
	return { ...names, type: 'notice', default: '', displayOptions };
}

export const templateTextField = {
	displayName: 'Template Text',
	name: 'templateText',
	type: 'string',
	// A code editor does not wrap lines, but older n8n changes a pasted {{1}} in all other fields.
	typeOptions: isOlder ? { editor: 'htmlEditor', rows: 4 } : { rows: 2 },
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. Hi {{1}}, your order {{2}} is on its way.',
	description:
		'Paste the approved text with its placeholders {{1}}, {{2}} and so on. This node uses it for the fields below, the preview and errors; the customer gets the approved text.',
} as const satisfies INodeProperties;

/** The text itself, notices about it, and a field for each of its placeholders. */
const templateTextFields: INodeProperties[] = [
	{
		...templateTextField,
		required: true,
		displayOptions: { ...forSend, hide: { variablesInput: NOT_THE_TEXT } },
	},
	{
		...templateTextField,
		displayOptions: { ...forSend, hide: { variablesInput: ['templateText'] } },
	},
	notice({
		displayName: 'Paste the template text above to get a field for each placeholder',
		name: 'noTextNotice',
		displayOptions: hiddenWhere([{ _cnd: { not: '' } }]),
	}),
	notice({
		displayName:
			'This text has no {{1}}. Write its placeholders as {{1}}, {{2}} and so on, or set Variables to None.',
		name: 'noPlaceholdersNotice',
		displayOptions: hiddenWhere([{ _cnd: { eq: '' } }, ...inText(1)]),
	}),
	notice({
		displayName:
			'If you change the text, the values below stay. Check them. Switching Variables clears them.',
		name: 'valuesNotice',
		displayOptions: {
			show: { ...forSend.show, ...HAS_VALUES },
			hide: { variablesInput: NOT_THE_TEXT },
		},
	}),
	notice({
		displayName: `There are fields for {{1}} to {{${MAX_FIELDS}}}. For more, set Variables to JSON and give all values there.`,
		name: 'tooManyNotice',
		displayOptions: wherePlaceholder(MAX_FIELDS + 1),
	}),
	...POSITIONS.map((number): INodeProperties => ({
		displayName: `{{${number}}}`,
		name: `variable${number}`,
		type: 'string',
		default: '',
		required: true,
		displayOptions: wherePlaceholder(number),
	})),
];

export const variablesInputField = {
	displayName: 'Variables',
	name: 'variablesInput',
	type: 'options',
	options: [
		{
			name: 'From Template Text',
			value: 'templateText',
			description: 'Paste the text of the template and get a field for each placeholder',
		},
		{ name: 'JSON', value: 'json', description: 'For values that an earlier node prepared' },
		{ name: 'None', value: 'none', description: 'The template has no placeholders' },
	],
	default: 'templateText',
	description: 'How to fill in the placeholders of the template',
	displayOptions: forSend,
} as const satisfies INodeProperties;

export const variablesJsonField = {
	displayName: 'Variables (JSON)',
	name: 'variablesJson',
	type: 'json',
	default: '{\n  "1": ""\n}',
	description:
		'An object with the numbers of the placeholders, such as {"1": "Asha"}, or a list, such as ["Asha"]',
	displayOptions: where(forSend, 'variablesInput', 'json'),
} as const satisfies INodeProperties;

/** How the placeholders of the template are filled in. */
export const variableFields: INodeProperties[] = [
	variablesInputField,
	...templateTextFields,
	variablesJsonField,
];
