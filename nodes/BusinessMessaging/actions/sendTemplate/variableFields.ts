import type { INodeProperties } from 'n8n-workflow';

import { where } from '../fields';
import { forSend } from './forSend';
import { templateTextFields } from './templateTextFields';

export const variablesInputField: INodeProperties = {
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
		{ name: 'List', value: 'list', description: 'Values in the order of the placeholders' },
		{ name: 'None', value: 'none', description: 'The template has no placeholders' },
	],
	default: 'templateText',
	description: 'How to fill in the placeholders of the template',
	// The editor drops the value of a field as soon as it is hidden.
	hint: 'Another choice empties the fields of this one. The template text stays.',
	displayOptions: forSend,
};

/** How the placeholders of the template are filled in. */
export const variableFields: INodeProperties[] = [
	variablesInputField,
	...templateTextFields,
	{
		displayName: 'Variables',
		name: 'variableList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable', sortable: true },
		placeholder: 'Add Variable',
		default: { variables: [{ value: '', label: '' }] },
		description: 'The first row fills {{1}}, the second {{2}}, and so on',
		options: [
			{
				displayName: 'Variable',
				name: 'variables',
				values: [
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'What the customer reads in this place',
					},
					{
						displayName: 'Label',
						name: 'label',
						type: 'string',
						default: '',
						placeholder: 'e.g. Order number',
						description: 'A note for yourself; it is not sent',
					},
				],
			},
		],
		displayOptions: where(forSend, 'variablesInput', 'list'),
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variablesJson',
		type: 'json',
		default: '{\n  "1": ""\n}',
		description:
			'An object with the numbers of the placeholders, such as {"1": "Asha"}, or a list, such as ["Asha"]',
		displayOptions: where(forSend, 'variablesInput', 'json'),
	},
];
