import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { EXPERT_OPTIONS } from '../parameters';
import { defaultCountryField } from './options/defaultCountry';
import { pageTextsField } from './sendAndWait/texts';

/**
 * Adds the fields as n8n's AI for building workflows reads them. It reads the first of several fields with one name. So
 * short ones are put before them; users never see them, because they are for a version of the node that does not exist.
 * They come after what their conditions name, or n8n computes each of them several times.
 */
export function forBuilders(fields: INodeProperties[]): INodeProperties[] {
	const known = new Set<string>();
	return fields.flatMap((field) => {
		const { operation } = field.displayOptions?.show ?? {};
		const key = `${field.name} ${String(operation)}`;
		if (!isTooLong(field) || known.has(key)) return field;
		known.add(key);
		return [briefField(field), field];
	});
}

/** Conditions on texts are long, and so are options and the text for the model of an agent. */
function isTooLong({ type, displayOptions }: INodeProperties): boolean {
	if (type === 'hidden' || type === 'notice') return false;
	return type === 'collection' || /_cnd|@tool/.test(JSON.stringify(displayOptions ?? {}));
}

function briefField(field: INodeProperties): INodeProperties {
	const { type, name, displayOptions, options } = field;
	const { resource, operation } = displayOptions!.show!;
	const isOfExperts = name === EXPERT_OPTIONS.name;
	return {
		...brief(field),
		hint: undefined,
		required: false,
		...(type === 'collection' && {
			options: (options as INodeProperties[]).map((option) => briefOption(option, isOfExperts)),
		}),
		displayOptions: { show: { '@version': [-1], resource, operation } },
	};
}

/** With the first sentence of its description, and without a default that only fills the editor. */
function brief(field: INodeProperties): INodeProperties {
	const isFiller = field.type === 'collection' || field.name === 'toolDescription';
	return {
		...field,
		description: field.description?.replace(/(?<=[.!?]) .*/s, ''),
		default: isFiller ? undefined : field.default,
	};
}

function briefOption(option: INodeProperties, isOfExperts: boolean): INodeProperties {
	// n8n takes what is missing from the next field with this name, but leaves notices out.
	if (isOfExperts || option === pageTextsField) return { ...option, type: 'notice' };
	// A list of all countries would be as long as everything else.
	if (option === defaultCountryField) {
		return {
			...option,
			type: 'string',
			options: undefined,
			default: undefined,
			description: 'In two letters, such as IN',
		};
	}
	// The default is the value that an option has when a user adds it, not when it is missing.
	const short = { ...brief(option), default: undefined };
	if (option.type !== 'fixedCollection') return short;
	const [group] = option.options as INodePropertyCollection[];
	return { ...short, options: [{ ...group, values: group.values.map(brief) }] };
}
