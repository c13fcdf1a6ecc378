import {
	type DisplayCondition,
	type IDisplayOptions,
	type INodeProperties,
	safeRegex,
} from 'n8n-workflow';
import {
	ends,
	HOW_TO_NUMBER,
	NAMED,
	placeholder,
	spellings,
	without,
} from '../../template/placeholders';
import { MAX_FIELDS } from '../../template/variables';
import { displayFor, where } from '../fields';

/** Shows a field wherever a message is sent. */
export const forSend = displayFor('sendTemplate', 'sendAndWait');

const POSITIONS = Array.from({ length: MAX_FIELDS }, (_, index) => index + 1);
/** The beginnings of placeholders that have a name. */
const NAMED_BEGINNINGS = [...'0$_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap(
	(first) => [`{{${first}`, `{{ ${first}`],
);
const OTHER_SOURCES = ['none', 'json'];
const NOT_THE_TEXT: DisplayCondition[] = [{ _cnd: { not: 'templateText' } }];
/** {{1}} has a value. Asks for its length, because n8n shows every field whose `show` asks for an expression. */
const HAS_VALUES = { '/variable1.length': [{ _cnd: { gt: 0 } }] };

/**
 * n8n before 2.35. Up to 2.12 it stores a pasted text with "=" in front, shows every field whose `show` asks for
 * such a text, and hides none by `hide`.
 */
const isOlder = safeRegex === undefined;

interface TextCondition {
	/** Every text that matches has one of them. */
	hint: string[];
	/** Every text that has one of them matches. */
	proof?: string[];
	/** A regular expression. */
	matches: string;
}

/**
 * Shows a field if the variables come from a template text that matches.
 *
 * n8n evaluates the condition several times per execution, for every node of a workflow. From 2.35 on it runs regular
 * expressions in a virtual machine: each takes 0.1 ms, and the execution fails if a busy machine needs more than
 * 250 ms. So it gets one only for texts in which something is odd.
 */
function whereText({ hint, proof = [], matches }: TextCondition): IDisplayOptions {
	if (isOlder) return hiddenWhere([{ _cnd: { regex: without(matches) } }]);
	return {
		show: {
			...forSend.show,
			templateText: oneOf(hint),
			// The same field, by its path from the root: for a second condition.
			'/templateText': [...oneOf(proof), { _cnd: { regex: matches } }],
		},
		hide: { variablesInput: OTHER_SOURCES },
	};
}

function wherePlaceholder(number: number): IDisplayOptions {
	const matches = placeholder(String(number));
	return whereText({ hint: ends(number), proof: spellings(number), matches });
}

function oneOf(parts: string[]): DisplayCondition[] {
	return parts.map((part) => ({ _cnd: { includes: part } }));
}

function hiddenWhere(texts: DisplayCondition[]): IDisplayOptions {
	return { ...forSend, hide: { variablesInput: OTHER_SOURCES, templateText: texts } };
}

function notice(
	name: string,
	displayName: string,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
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
		displayOptions: {
			...forSend,
			hide: { variablesInput: NOT_THE_TEXT, ...HAS_VALUES },
		},
	},
	{
		...templateTextField,
		required: true,
		hint: 'If you change the text, the values below stay. Check them.',
		displayOptions: {
			show: { ...forSend.show, ...HAS_VALUES },
			hide: { variablesInput: NOT_THE_TEXT },
		},
	},
	{
		...templateTextField,
		displayOptions: { ...forSend, hide: { variablesInput: ['templateText'] } },
	},
	notice(
		'noTextNotice',
		'Paste the template text above to get a field for each placeholder',
		hiddenWhere([{ _cnd: { not: '' } }]),
	),
	notice(
		'noPlaceholdersNotice',
		'This text has no placeholders such as {{1}}. Set Variables to None if that is right.',
		hiddenWhere([{ _cnd: { eq: '' } }, { _cnd: { includes: '{{' } }]),
	),
	notice(
		'namedNotice',
		`Placeholders are numbers. ${HOW_TO_NUMBER} Values go into the fields below.`,
		whereText({ hint: NAMED_BEGINNINGS, matches: NAMED }),
	),
	notice(
		'tooManyNotice',
		`There are fields for {{1}} to {{${MAX_FIELDS}}}. For more, set Variables to JSON and give all values there.`,
		wherePlaceholder(MAX_FIELDS + 1),
	),
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

/** The editor drops the value of a field when the field is hidden. */
const variablesInputFieldWithValues: INodeProperties = {
	...variablesInputField,
	hint: 'Switching clears the values entered here, but not the template text.',
};
/** By its path from the root, because a field that depends on itself would never be resolved. */
const ITSELF = '/variablesInput';

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
	{
		...variablesInputField,
		displayOptions: { ...forSend, hide: { [ITSELF]: ['json'], ...HAS_VALUES } },
	},
	{
		...variablesInputFieldWithValues,
		displayOptions: {
			show: { ...forSend.show, ...HAS_VALUES },
			hide: { [ITSELF]: ['json'] },
		},
	},
	{
		...variablesInputFieldWithValues,
		displayOptions: { ...forSend, hide: { [ITSELF]: [{ _cnd: { not: 'json' } }] } },
	},
	...templateTextFields,
	variablesJsonField,
];
