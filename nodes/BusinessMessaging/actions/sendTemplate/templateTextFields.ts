import { safeRegex } from 'n8n-workflow';
import type { DisplayCondition, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	ends,
	HOW_TO_NUMBER,
	NAMED,
	placeholder,
	spellings,
	without,
} from '../../template/placeholderPatterns';
import { MAX_FIELDS } from '../../template/variables';
import { forBuilders } from '../fields';
import { forSend } from './forSend';

const POSITIONS = Array.from({ length: MAX_FIELDS }, (_, index) => index + 1);
/** How placeholders begin that have a name. */
const NAMES = [...'0$_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((first) => [
	`{{${first}`,
	`{{ ${first}`,
]);
const OTHER_SOURCES = ['none', 'list', 'json'];
const NOT_THE_TEXT: DisplayCondition[] = [{ _cnd: { not: 'templateText' } }];
/** Of the value of {{1}}. A number, because n8n takes every field for shown whose `show` asks for an expression. */
const LENGTH_OF_FIRST = '/variable1.length';

/**
 * n8n before 2.35. Up to 2.12 it stores a pasted text with "=" in front, and takes every field for shown whose
 * `show` asks for such a text, but not for hidden by `hide`.
 */
const isOlder = safeRegex === undefined;

interface TextCondition {
	/** One of them is in every text that matches. */
	hint: string[];
	/** A text with one of them matches. */
	proof?: string[];
	/** A regular expression. */
	matches: string;
}

/**
 * Shows a field where the variables come from a template text that matches.
 *
 * n8n asks for it several times per execution, for every node of a workflow. From 2.35 on it computes a regular
 * expression in a virtual machine, which takes 0.1 ms, and where the machine is too busy to do so within 250 ms the
 * execution fails. So it gets one only for texts in which something is odd.
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

/** Where the next one is there, or the number without its braces. */
function whereMissing(number: number): IDisplayOptions {
	const present = placeholder(String(number));
	const signs = [...spellings(number + 1), `{${number}}`, ...(number === 1 ? ['{{'] : [])];
	if (isOlder) {
		const sign = signs.map((part) => part.replace(/[{}]/g, '\\$&')).join('|');
		return hiddenWhere([
			{ _cnd: { regex: without(`^(?=[\\s\\S]*(?:${sign}))(?![\\s\\S]*${present})`) } },
		]);
	}
	return {
		show: { ...forSend.show, templateText: oneOf(signs) },
		hide: {
			variablesInput: OTHER_SOURCES,
			templateText: [...oneOf(spellings(number)), { _cnd: { regex: present } }],
		},
	};
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

const templateTextField: INodeProperties = {
	displayName: 'Template Text',
	name: 'templateText',
	type: 'string',
	// An editor of code does not wrap, but in older n8n only there {{1}} stays as it was pasted.
	typeOptions: isOlder ? { editor: 'htmlEditor', rows: 4 } : { rows: 5 },
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. Hi {{1}}, your order {{2}} is on its way.',
	description:
		'Paste the approved text with its placeholders {{1}}, {{2}} and so on. It is for the fields below, the preview and errors; the customer gets the approved text.',
};

const IN_BRIEF = {
	templateText:
		'The approved text. variable1 is the value of {{1}}, and so on: give one for each placeholder.',
	...Object.fromEntries(POSITIONS.map((number) => [`variable${number}`, undefined])),
};

/** The text itself, what the editor says of it, and a field for each placeholder in it. */
export const templateTextFields = forBuilders(IN_BRIEF, [
	{
		...templateTextField,
		required: true,
		displayOptions: {
			...forSend,
			hide: { variablesInput: NOT_THE_TEXT, [LENGTH_OF_FIRST]: [{ _cnd: { gt: 0 } }] },
		},
	},
	{
		...templateTextField,
		required: true,
		hint: 'Another text keeps the values below: check each one.',
		displayOptions: {
			show: { ...forSend.show, [LENGTH_OF_FIRST]: [{ _cnd: { gt: 0 } }] },
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
		whereText({ hint: NAMES, matches: NAMED }),
	),
	...POSITIONS.map((number) =>
		notice(
			`missing${number}Notice`,
			`A number is left out, or does not have two braces on each side: {{${number}}}. Check that the whole text was pasted.`,
			whereMissing(number),
		),
	),
	notice(
		'tooManyNotice',
		`There are fields for {{1}} to {{${MAX_FIELDS}}}. For more, set Variables to JSON or List and give all values there.`,
		wherePlaceholder(MAX_FIELDS + 1),
	),
	...POSITIONS.map(fieldOf),
]);

function fieldOf(number: number): INodeProperties {
	return {
		displayName: `{{${number}}}`,
		name: `variable${number}`,
		type: 'string',
		default: '',
		required: true,
		description: `What the customer reads in place of {{${number}}}`,
		displayOptions: wherePlaceholder(number),
	};
}
