import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { RENAMED } from '../../../nodes/BusinessMessaging/renamed';
import {
	ACTION,
	CREDENTIAL,
	type Interface,
	NEVER_RENAMED,
	OPERATIONS,
	type Parameter,
	TOOL,
	TRIGGER,
} from './publicInterface.mts';

/** The stored part of fields, in the form of the list, with a `default` only where the list has one. */
function interfaceOf(fields: INodeProperties[], listed: Interface): Interface {
	const stored = fields.filter(({ type }) => type !== 'notice' && type !== 'hidden');
	return Object.fromEntries(
		stored.map((field) => [field.name, parameterOf(field, listed[field.name])]),
	);
}

function parameterOf(field: INodeProperties, listed: Parameter | undefined): Parameter {
	const parameter: Parameter = { type: field.type };
	if (field.required) parameter.required = true;
	if (field.typeOptions?.password) parameter.password = true;
	if (field.noDataExpression) parameter.fixed = true;
	if (listed?.editor) parameter.editor = field.typeOptions;
	if (listed && 'default' in listed) parameter.default = field.default;
	if (listed && 'added' in listed) parameter.added = field.default;
	if (listed?.values) parameter.values = valuesOf(field).sort();
	if (field.type === 'collection' || field.type === 'fixedCollection') {
		parameter.options = interfaceOf(insideOf(field), listed?.options ?? {});
	}
	return parameter;
}

function valuesOf({ options = [] }: INodeProperties): string[] {
	return (options as INodePropertyOptions[]).map(({ value }) => String(value));
}

/** The fields of a collection; those of a fixed collection under `group.field`. */
function insideOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
		values.map((value) => ({ ...value, name: `${name}.${value.name}` })),
	);
}

const action = new BusinessMessaging().description.properties;
const shownFor = (operation: string) => (field: INodeProperties) =>
	field.displayOptions?.show?.operation?.includes(operation) ?? false;

describe('what workflows and credentials store is as it was published', () => {
	it('in the credential', () => {
		expect(new BusinessMessagingApi().name).toBe('businessMessagingApi');
		expect(interfaceOf(new BusinessMessagingApi().properties, CREDENTIAL)).toEqual(CREDENTIAL);
	});

	it('in the resource and the operation of the action', () => {
		const fields = action.filter(({ displayOptions }) => !displayOptions?.show?.operation);
		expect(interfaceOf(fields, ACTION)).toEqual(ACTION);
	});

	it.each(Object.entries(OPERATIONS))('in %s', (operation, listed) => {
		const stored = { ...listed, ...(operation === 'sendAndWait' ? {} : TOOL) };
		expect(interfaceOf(action.filter(shownFor(operation)), stored)).toEqual(stored);
	});

	it('in the trigger', () => {
		const fields = new BusinessMessagingTrigger().description.properties;
		expect(interfaceOf(fields, TRIGGER)).toEqual(TRIGGER);
	});
});

it('no field of the action belongs to an operation that is not listed', () => {
	const operations = action.flatMap(({ displayOptions }) => displayOptions?.show?.operation ?? []);
	expect(new Set(operations)).toEqual(new Set(Object.keys(OPERATIONS)));
});

// n8n runs no workflow in which a required field is empty.
it('what was renamed is not called so any more, is empty by default and not required', () => {
	const all = [...action, ...new BusinessMessagingTrigger().description.properties];
	for (const [former, now] of Object.entries(RENAMED)) {
		const [path, value] = now.split('=');
		const [name, option] = path.split('.');
		expect(NEVER_RENAMED).not.toContain(former.split('.')[1]);
		const fields = all.filter((field) => field.name === name && field.type !== 'hidden');
		const inside = fields.flatMap((field) => (option ? insideOf(field) : [field]));
		const named = inside.filter((field) => field.name === (option ?? name));
		expect([former, named.length]).not.toEqual([former, 0]);
		if (value === undefined)
			expect(named.filter((field) => field.default || field.required)).toEqual([]);
		else expect(named.flatMap(valuesOf)).not.toContain(former.split('=')[1]);
	}
});
