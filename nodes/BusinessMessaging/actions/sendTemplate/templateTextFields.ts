import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import {
	above,
	BROKEN,
	gapless,
	HOW_TO_NUMBER,
	NAMED,
	placeholder,
	PLACEHOLDER,
	without,
} from '../../template/placeholderPatterns';
import { MAX_FIELDS } from '../../template/variables';
import { forSend } from './forSend';

/**
 * Hides a field where the template text is not what the variables come from, or matches. Never by `show`:
 * n8n takes every field of it for shown when it depends on a text that begins with "=", as older editors
 * store what was pasted.
 */
function unless(pattern: string): IDisplayOptions {
	return {
		...forSend,
		hide: {
			variablesInput: ['none', 'list', 'json'],
			templateText: [{ _cnd: { regex: pattern } }],
		},
	};
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
	// Pasted into a plain field, {{1}} would become an expression.
	typeOptions: { editor: 'htmlEditor', rows: 4 },
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. Hi {{1}}, your order {{2}} is on its way.',
	description:
		'Paste the approved text with its placeholders {{1}}, {{2}} and so on. It is for the fields below, the preview and errors; the customer gets the approved text.',
};

/** The text itself, what the editor says of it, and a field for each placeholder in it. */
export const templateTextFields: INodeProperties[] = [
	{
		...templateTextField,
		required: true,
		hint: 'Another text keeps the values below: check each one.',
		displayOptions: {
			...forSend,
			hide: { variablesInput: [{ _cnd: { not: 'templateText' } }] },
		},
	},
	{
		...templateTextField,
		displayOptions: { ...forSend, hide: { variablesInput: ['templateText'] } },
	},
	notice(
		'noTextNotice',
		'Paste the template text above to get a field for each placeholder',
		unless('\\S'),
	),
	notice(
		'noPlaceholdersNotice',
		'This text has no placeholders such as {{1}}. Set Variables to None if that is right.',
		unless(`^\\s*$|${PLACEHOLDER}|${NAMED}|${BROKEN}`),
	),
	notice(
		'unreadableNotice',
		`Placeholders are numbers with two braces on each side. ${HOW_TO_NUMBER} Values go into the fields below.`,
		unless(without(`${NAMED}|${BROKEN}`)),
	),
	notice(
		'gapNotice',
		'A number is left out: placeholders are {{1}}, {{2}} and so on. Check that the whole text was pasted.',
		unless(gapless(MAX_FIELDS)),
	),
	notice(
		'tooManyNotice',
		`There are fields for {{1}} to {{${MAX_FIELDS}}}. For more, set Variables to JSON or List and give all values there.`,
		unless(without(above(MAX_FIELDS))),
	),
	...Array.from({ length: MAX_FIELDS }, (_, index): INodeProperties => {
		const position = index + 1;
		return {
			displayName: `{{${position}}}`,
			name: `variable${position}`,
			type: 'string',
			required: true,
			default: '',
			description: `What the customer reads in place of {{${position}}}`,
			displayOptions: unless(without(placeholder(String(position)))),
		};
	}),
];
