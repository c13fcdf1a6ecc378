import { InputError } from './inputError';
import { reasonOf } from './sentences';

/** @param error of n8n's database, or of an n8n without this memory */
export function memoryProblem(error: unknown): InputError {
	return new InputError(
		`The memory of Send Once Key can't be used: ${reasonOf(error)}`,
		'Run it again when the database of n8n answers.',
	);
}
