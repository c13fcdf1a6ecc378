import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { nameField } from '../../../../nodes/BusinessMessaging/actions/run/nameField';
import { InputError } from '../../../../nodes/BusinessMessaging/errors/inputError';
import { withParameters } from '../../../support/parameters.ts';

const field = (name: string, displayName: string): INodeProperties => ({
	...{ name, displayName },
	...{ type: 'string', default: '' },
});

const FIELDS: INodeProperties[] = [
	field('to', 'To'),
	field('templateName', 'Template Name'),
	{ ...field('variableList', 'Variables'), type: 'fixedCollection' },
	{
		...field('options', 'Options'),
		type: 'collection',
		options: [field('rate', 'Rate'), field('country', 'Country')],
	},
];

const SYNTAX = new Error('invalid syntax');

/** n8n fails in its own way at these paths, and at every other one that needs validation. */
function nameIn(parameters: INodeParameters, failing: Record<string, string>, error = SYNTAX) {
	const computed: string[] = [];
	const context = withParameters(
		{},
		{
			getNode: () => ({ parameters }),
			getNodeParameter: (path: string, item: number, _: unknown, options: object) => {
				computed.push(path);
				expect(item).toBe(7);
				if (path in failing) throw new Error(failing[path]);
				if (!('skipValidation' in options && options.skipValidation)) throw SYNTAX;
			},
		},
	);
	return { field: nameField(context, 7, FIELDS, error), computed };
}

it.each<[string | undefined, INodeParameters, string]>([
	['To', { to: '={{ x }}', templateName: '={{ y }}' }, 'to'],
	['Template Name', { to: '={{ x }}', templateName: '={{ y }}' }, 'templateName'],
	[
		'Variables',
		{ variableList: { values: [{ value: 'a' }, { value: '={{ y }}' }] } },
		'variableList',
	],
	[undefined, { to: '={{ x }}' }, 'templateName'],
	[undefined, {}, 'to'],
])('%s is the field whose expression fails in %j', (expected, parameters, failing) => {
	expect(nameIn(parameters, { [failing]: SYNTAX.message }).field).toBe(expected);
});

it('an option is named with its collection', () => {
	const parameters = { options: { rate: '={{ x }}', country: '={{ y }}' } };
	const failing = { options: SYNTAX.message, 'options.country': SYNTAX.message };
	expect(nameIn(parameters, failing).field).toBe('Options → Country');
});

it('a collection is named alone where none of its options fails by itself', () => {
	const parameters = { options: { rate: '={{ x }}' } };
	expect(nameIn(parameters, { options: SYNTAX.message }).field).toBe('Options');
});

it('a field that fails in another way is not meant', () => {
	const parameters = { to: '={{ x }}', templateName: '={{ y }}' };
	const failing = { to: 'no node', templateName: SYNTAX.message };
	expect(nameIn(parameters, failing).field).toBe('Template Name');
});

it('only expressions are computed', () => {
	const parameters = { to: '+1', templateName: 5, variableList: { values: [{ value: 'a=' }] } };
	expect(nameIn(parameters, {}).computed).toEqual([]);
});

it('what is said of a value, not of an expression, names its field by itself', () => {
	const failing = { to: 'The recipient is empty' };
	const error = new InputError('The recipient is empty', 'Enter it.');
	expect(nameIn({ to: '={{ x }}' }, failing, error).field).toBeUndefined();
});
