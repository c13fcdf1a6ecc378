import { InputError } from '../errors/inputError';

/** @param error of n8n's database, or of an n8n without this memory */
export function memoryProblem(error: unknown): InputError {
	const reason = error instanceof Error ? error.message : String(error);
	return new InputError(
		`The memory of Send Once Key can't be used: ${reason}`,
		'Run it again when the database of n8n answers.',
	);
}
