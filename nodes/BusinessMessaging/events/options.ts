import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { readNumber, readSwitch } from '../optionValues';
import { readAllowlist } from './allowlist';
import { readChosen } from './catalogue';
import { dropRepeatedField, maxAgeField, rawBodyField, rememberedHoursField } from './optionFields';

export interface TriggerOptions {
	dropsRepeated: boolean;
	rememberedHours: number;
	/** 0 for events of any age. */
	maxAgeMinutes: number;
	withRawBody: boolean;
}

/** @throws InputError */
export function readTriggerOptions(options: IDataObject): TriggerOptions {
	return {
		dropsRepeated: readDropsRepeated(options),
		rememberedHours: readNumber(
			options.deduplicationHours,
			rememberedHoursField,
			rememberedHoursField.default,
		),
		// Without a default: an age that an expression failed to give must not pass for any age.
		maxAgeMinutes:
			'maxEventAgeMinutes' in options ? readNumber(options.maxEventAgeMinutes, maxAgeField) : 0,
		withRawBody: readSwitch(options, rawBodyField),
	};
}

/** @throws InputError */
export function readDropsRepeated(options: IDataObject): boolean {
	return readSwitch(options, dropRepeatedField, dropRepeatedField.default);
}

/** Tells the user at once, in the editor, what would otherwise be a 500 to every event. */
export function demandReadable(context: IHookFunctions): void {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	try {
		readAllowlist(options);
		readTriggerOptions(options);
		readChosen(context.getNodeParameter('events'));
	} catch (error) {
		// The editor shows the message only.
		const problem = error instanceof InputError ? error.sentences : (error as Error);
		throw new NodeOperationError(context.getNode(), problem);
	}
}
