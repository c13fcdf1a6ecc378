import type { ResourceMapperFields } from 'n8n-workflow';

import type { InputError } from '../inputError';
import { fieldId, readPlaceholders } from './placeholders';

/** The editor's fields for the placeholders of a template text, one required field each. */
export function templateVariableFields(templateText: unknown): ResourceMapperFields {
	const text = typeof templateText === 'string' ? templateText.replace(/^=/, '') : '';
	if (!text.trim()) {
		return {
			fields: [],
			emptyFieldsNotice: 'Paste the template text above to get a field for each placeholder.',
		};
	}
	try {
		const fields = readPlaceholders(text).map(({ position, label }) => ({
			id: fieldId(position),
			displayName: label,
			required: true,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type: 'string' as const,
		}));
		return {
			fields,
			emptyFieldsNotice:
				'This text has no placeholders such as {{1}}. Set Variables to None if that is right.',
		};
	} catch (error) {
		return { fields: [], emptyFieldsNotice: (error as InputError).sentences };
	}
}
