import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { databaseMemory } from '../../memory/databaseMemory';
import type { KeyedSends } from '../operation';
import { createSendOnce, MAX_ENTRIES } from './sendOnce';

/**
 * The memory of this node in n8n's database, which other nodes and copies of it do not share.
 * @param keys of all items of the run
 * @throws InputError when the memory can't be used
 */
export async function openSendOnce(
	context: IExecuteFunctions,
	keys: string[],
): Promise<KeyedSends> {
	const memory = databaseMemory(context, { isShared: true, maxEntries: MAX_ENTRIES });
	const sendOnce = createSendOnce(memory, (problem) => context.logger.warn(problem));
	try {
		return { ...sendOnce, known: await sendOnce.look([...new Set(keys)]) };
	} catch (error) {
		throw memoryProblem(error);
	}
}

/** @param error of n8n's database, or of an n8n without this memory */
export function memoryProblem(error: unknown): InputError {
	const reason = error instanceof Error ? error.message : String(error);
	return new InputError(
		`The memory of Send Once Key can't be used: ${reason}`,
		'Run it again when the database of n8n answers.',
	);
}
