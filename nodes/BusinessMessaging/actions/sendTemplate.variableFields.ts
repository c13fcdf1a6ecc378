import type { INodeProperties } from 'n8n-workflow';

import { showFor, showForValue } from './fields';

const OPERATION = 'sendTemplate';

/**
 * The template's name and its placeholders, each with the word before it. The editor clears all values
 * when this changes, so that none goes into another template, and keeps them when only other words
 * change. Two braces in a row would end the expression; without its bounds a long paste takes seconds.
 */
const PLACEHOLDERS =
	"={{ [$parameter.templateName, ...(String($parameter.templateText).match(/(\\S{1,40}\\s+)?\\S{0,40}[{][{][^{}]{0,40}[}][}]/g) || [])].join(' ') }}";

/** How the placeholders of the template are filled in. */
export const variableFields: INodeProperties[] = [
	{
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
		displayOptions: showFor(OPERATION),
	},
	{
		displayName: 'Template Text',
		name: 'templateText',
		type: 'string',
		typeOptions: { editor: 'htmlEditor', rows: 4 },
		noDataExpression: true,
		default: '',
		placeholder: 'Hi {{1}}, your order {{2}} is on its way.',
		description:
			'Paste the approved text with its placeholders {{1}}, {{2}} and so on. It makes the fields below and the preview; the customer gets the approved text.',
		displayOptions: showForValue(OPERATION, 'variablesInput', 'templateText'),
	},
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'hidden',
		default: PLACEHOLDERS,
		displayOptions: showForValue(OPERATION, 'variablesInput', 'templateText'),
	},
	{
		displayName: 'Template Variables',
		name: 'templateTextVariables',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			loadOptionsDependsOn: ['placeholders'],
			resourceMapper: {
				resourceMapperMethod: 'getTemplateVariables',
				mode: 'add',
				valuesLabel: 'Template Variables',
				fieldWords: { singular: 'variable', plural: 'variables' },
				addAllFields: true,
				supportAutoMap: false,
				refreshStaleSchemaOnOpen: true,
				noFieldsError: 'The template text has no placeholders such as {{1}}.',
			},
		},
		displayOptions: showForValue(OPERATION, 'variablesInput', 'templateText'),
	},
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
						placeholder: 'Order number',
						description: 'A note for yourself; it is not sent',
					},
				],
			},
		],
		displayOptions: showForValue(OPERATION, 'variablesInput', 'list'),
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variablesJson',
		type: 'json',
		default: '{\n  "1": ""\n}',
		description:
			'An object with the numbers of the placeholders, such as {"1": "Asha"}, or a list, such as ["Asha"]',
		displayOptions: showForValue(OPERATION, 'variablesInput', 'json'),
	},
];
