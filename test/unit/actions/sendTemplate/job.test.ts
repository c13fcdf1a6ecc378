import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { readSendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/job';
import { CATEGORIES } from '../../../../nodes/BusinessMessaging/api';

const NOW = Date.UTC(2026, 1, 1);
const NEEDED = { to: '+14155552671', templateName: 'order_update', category: 'utility' };

/**
 * Parameters as n8n gives them: computed, but for those that are asked for as they were typed.
 * @param computed what expressions give, by the parameter's name
 */
function read(parameters: INodeParameters, computed: Record<string, unknown> = {}) {
	const given: Record<string, unknown> = { ...NEEDED, ...parameters };
	const context = {
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, _: number, fallback?: unknown, options?: object) => {
			const value = name in given ? given[name] : fallback;
			if ((options as { rawExpressions?: boolean })?.rawExpressions) return value;
			const isComputed = typeof value === 'string' && value.startsWith('=');
			return name in computed ? computed[name] : isComputed ? `computed ${value}` : value;
		},
	};
	return readSendJob(context as unknown as IExecuteFunctions, 0, NOW);
}

function refusal(parameters: INodeParameters, computed?: Record<string, unknown>): object {
	try {
		read(parameters, computed);
	} catch (error) {
		const { message, remedy } = error as { message: string; remedy: string };
		return { message, remedy };
	}
	return {};
}

describe('the template name', () => {
	it.each([
		[' order_update\n', 'order_update'],
		[2024, '2024'],
	])('%j is sent as "%s"', (templateName, sent) => {
		expect(read({ templateName, variablesInput: 'none' }).message).toEqual({
			to: '+14155552671',
			type: 'template',
			templateName: sent,
		});
	});

	it.each<[INodeParameters[string]]>([[''], [' \n'], [null as never], [true], [{ name: 'a' }]])(
		'%j is none',
		(templateName) => {
			expect(refusal({ templateName })).toEqual({
				message: 'Template Name is empty',
				remedy: 'Enter the name of an approved template, exactly as in your dashboard.',
			});
		},
	);
});

it('a template name that holds the ruins of an expression is refused', () => {
	const name = { templateName: '={{ "order_" + $json.language }}' };
	expect(refusal(name, { templateName: 'order_undefined' })).toMatchObject({
		message: 'Template Name has "undefined" in it',
	});
	expect(read({ templateName: 'undefined', variablesInput: 'none' }).message).toMatchObject({
		templateName: 'undefined',
	});
});

it.each(['[object Object]', 'order [object Object]', 'order_\ud83c'])(
	'the template name %j is refused for what it is',
	(templateName) => {
		expect(refusal({ templateName })).toMatchObject({
			message: expect.stringMatching(/^Template Name has (\[object Object\]|half a character) in /),
		});
	},
);

describe('the category', () => {
	const AUTO = { category: 'auto', customerLastMessageAt: '2026-01-31T14:00:00Z' };

	it.each([...CATEGORIES])('can be %s', (category) => {
		expect(read({ category, variablesInput: 'none' }).categoryChoice).toEqual({ category });
	});

	it.each([
		[{ category: 'UTILITY' }, { category: 'utility' }],
		[{ category: ' Marketing\n' }, { category: 'marketing' }],
		[
			{ ...AUTO, category: 'Auto' },
			{ category: 'auto', fallbackCategory: 'utility' },
		],
		[{ ...AUTO, fallbackCategory: 'MARKETING' }, { fallbackCategory: 'marketing' }],
	])('that an expression gives may have capitals and spaces: %j', (parameters, choice) => {
		expect(read({ ...parameters, variablesInput: 'none' }).categoryChoice).toMatchObject(choice);
	});

	it('can be Auto, with Utility after the window when nothing else is chosen', () => {
		expect(read({ ...AUTO, variablesInput: 'none' }).categoryChoice).toEqual({
			category: 'auto',
			customerLastMessageAt: Date.UTC(2026, 0, 31, 14),
			fallbackCategory: 'utility',
		});
	});

	it('can not be Auto without a time', () => {
		expect(refusal({ category: 'auto' })).toMatchObject({
			message: "Category is Auto, but Customer's Last Message At is empty",
		});
	});

	const ALL = CATEGORIES.join(', ');

	it.each<[string, INodeParameters, string]>([
		['Category', { category: 'promotion' }, `${ALL}, auto`],
		['Fallback Category', { ...AUTO, fallbackCategory: 'promotion' }, ALL],
	])('(%s) can be nothing else', (field, parameters, choices) => {
		expect(refusal(parameters)).toEqual({
			message: `${field} is "promotion"`,
			remedy: `Choose one of ${choices}.`,
		});
	});
});

describe('the switches', () => {
	const none = { variablesInput: 'none' };

	it('can be given by an expression', () => {
		const options = { dryRun: 'true', rawResponse: 'true' };
		expect(read({ ...none, options })).toMatchObject({ dryRun: true, rawResponse: true });
	});

	it.each([
		['dryRun', 'Dry Run'],
		['rawResponse', 'Raw Response'],
		['keepWhitespace', 'Keep Line Breaks and Tabs'],
	])('(%s) are refused when they are neither on nor off', (name, field) => {
		expect(refusal({ ...none, options: { [name]: '' } })).toMatchObject({
			message: `${field} is ""`,
		});
	});
});

describe('the variables', () => {
	it('come from a pasted text when nothing else is chosen', () => {
		expect(refusal({})).toMatchObject({ message: 'Template Text is empty' });
	});

	it.each([
		['Hi {{1}}', 'Hi Asha'],
		['=Hi {{1}}', 'Hi Asha'],
		['Name = {{1}}', 'Name = Asha'],
		['Hi {{ 1}}! }}', 'Hi Asha!'],
	])('of the text %j make the preview %j', (templateText, preview) => {
		const job = read({ templateText, variable1: 'Asha' });
		expect(job).toMatchObject({ message: { templateVariables: { 1: 'Asha' } }, preview });
	});

	it('come from nothing else than what can be chosen', () => {
		expect(refusal({ variablesInput: 'sheet', templateText: 'Hi' })).toEqual({
			message: 'Variables is "sheet"',
			remedy: 'Choose one of templateText, none, list, json.',
		});
	});

	it.each<[INodeParameters, string]>([
		[{ variablesInput: 'list', 'variableList.variables': ['Asha', 'A-17'] }, 'Hi Asha, A-17'],
		[{ variablesInput: ' List', 'variableList.variables': ['Asha', 'A-17'] }, 'Hi Asha, A-17'],
		[{ variablesInput: 'JSON', variablesJson: '["Asha", "A-17"]' }, 'Hi Asha, A-17'],
		[{ variablesInput: 'json', variablesJson: '["Asha", "A-17"]' }, 'Hi Asha, A-17'],
		[{ variablesInput: 'none', templateText: 'Your parcel is here.' }, 'Your parcel is here.'],
	])('of %j make a preview as well when there is a text', (parameters, preview) => {
		expect(read({ templateText: 'Hi {{1}}, {{2}}', ...parameters })).toMatchObject({ preview });
	});

	it.each<[INodeParameters, string]>([
		[{ variablesInput: 'list', 'variableList.variables': ['Asha'] }, 'The list has 1 value'],
		[{ variablesInput: 'json', variablesJson: '[1, 2, 3]' }, 'Variables (JSON) has 3 values'],
		[{ variablesInput: 'none' }, 'Variables is None'],
	])('of %j are refused when the text has others', (parameters, given) => {
		expect(refusal({ templateText: 'Hi {{1}}, {{2}}', ...parameters })).toEqual({
			message: `${given}, but the template text has {{1}} to {{2}}`,
			remedy: 'Correct one of them, or clear Template Text.',
		});
	});

	it.each<[string, INodeParameters]>([
		['a list', { variablesInput: 'list', 'variableList.variables': [''] }],
		['JSON', { variablesInput: 'json', variablesJson: '[""]' }],
	])('of %s are named by the words of the text', (_, parameters) => {
		expect(refusal({ templateText: 'Hi {{1}}', ...parameters })).toMatchObject({
			message: 'The variable {{1}} ("Hi {{1}}") is empty',
		});
	});

	it('have no line breaks, unless they are to be kept', () => {
		const text = { templateText: 'To {{1}}', variable1: 'Main Street 1\nBoston' };
		expect(read(text)).toMatchObject({
			message: { templateVariables: { 1: 'Main Street 1 Boston' } },
			preview: 'To Main Street 1 Boston',
			tidied: true,
		});
		const kept = read({ ...text, options: { keepWhitespace: true } });
		expect(kept).toMatchObject({ preview: 'To Main Street 1\nBoston' });
		expect(kept.tidied).toBeUndefined();
		expect(read({ ...text, variable1: 'Boston' }).tidied).toBeUndefined();
	});

	const LIST = { variablesInput: 'list' };
	const RUIN = { message: 'The variable {{1}} ("Hi {{1}}") has "undefined" in it' };

	const ROWS = { 'variableList.variables': [{ value: 'undefined' }] };
	const JSON_TEXT = { variablesJson: '["undefined"]' };

	it.each<[string, Record<string, unknown>, INodeParameters, INodeParameters]>([
		['a field', { variable1: 'undefined' }, { variable1: '={{ $json.name }}' }, {}],
		['a row', ROWS, { 'variableList.variables[0].value': '={{ $json.name }}' }, LIST],
		['JSON', JSON_TEXT, { variablesJson: '={{ $json.values }}' }, { variablesInput: 'json' }],
	])(
		'that an expression ruined are refused, and typed ones sent: %s',
		(_, values, entered, more) => {
			const text = { templateText: 'Hi {{1}}', ...more };
			expect(refusal({ ...text, ...entered }, values)).toMatchObject(RUIN);
			expect(read({ ...text, ...(values as INodeParameters) })).toMatchObject({
				message: { templateVariables: { 1: 'undefined' } },
			});
		},
	);

	it('of a text are missing as long as no field is filled in', () => {
		expect(refusal({ templateText: 'Hi {{1}}' })).toMatchObject({
			message: expect.stringContaining('is empty'),
		});
	});

	it('can be rows, of which there must be one', () => {
		const rows = [{ value: 'Asha' }];
		const job = read({ variablesInput: 'list', 'variableList.variables': rows });
		expect(job.message.templateVariables).toEqual({ 1: 'Asha' });
		expect(job).not.toHaveProperty('preview', expect.anything());
		expect(refusal({ variablesInput: 'list' })).toMatchObject({
			message: 'The list of variables is empty',
		});
	});
});

it('a template text that is missing is said to be empty, with what to do', () => {
	expect(refusal({ templateText: null as never })).toEqual({
		message: 'Template Text is empty',
		remedy:
			'Paste the text of the approved template, or set Variables to None when it has no placeholders.',
	});
});
