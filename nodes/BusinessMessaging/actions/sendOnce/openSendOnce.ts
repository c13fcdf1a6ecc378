import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { memoryProblem } from '../../errors/memoryProblem';
import { NOTHING_SENT } from '../../errors/sentences';
import { databaseMemory } from '../../memory/databaseMemory';
import type { KeyedSends } from '../keyedSends';
import { createSendOnce, MAX_ENTRIES, MAX_KEYS } from './sendOnce';

/**
 * The memory of this node in n8n's database, which other nodes and copies of it do not share.
 * @param keys of all items of the run
 * @throws InputError when the memory can't be used, or not for so many
 */
export async function openSendOnce(
	context: IExecuteFunctions,
	keys: string[],
): Promise<KeyedSends> {
	const distinct = [...new Set(keys)];
	if (distinct.length > MAX_KEYS) throw tooMany(distinct.length);
	const memory = databaseMemory(context, { isShared: true, maxEntries: MAX_ENTRIES });
	const sendOnce = createSendOnce(memory, (problem) => context.logger.warn(problem));
	try {
		return { ...sendOnce, known: await sendOnce.look(distinct), shown: new Set() };
	} catch (error) {
		throw memoryProblem(error);
	}
}

/** The first of them would be forgotten before the last are sent, and sent again in the next run. */
function tooMany(count: number): InputError {
	const [given, kept] = [count, MAX_KEYS].map((number) => number.toLocaleString('en-US'));
	return new InputError(
		`There are ${given} Send Once Keys, but the node remembers only the newest ${kept}`,
		`${NOTHING_SENT} Spread the items over several nodes, for example with a Switch node: each has a memory of its own.`,
	);
}
