import { randomUUID } from 'crypto';

import { reasonOf } from '../../errors/sentences';
import { claimKey, claimOf, release } from '../../memory/claim';
import type { Memory } from '../../memory/databaseMemory';
import type { SendOnce } from '../keyedSends';

/** The oldest are forgotten. */
export const MAX_KEYS = 10_000;

/** What is looked up is written and removed again, which takes n8n a while for many. */
const MAX_LOOKED_UP = 500;

/** That a run has taken the key, and twice that its message was sent. Looks need room beside them. */
export const MAX_ENTRIES = 3 * MAX_KEYS + 4 * MAX_LOOKED_UP;

/** A look that saw a mark as its own is over after two writes. */
const MARKS_BESIDE_A_LOOK = 3;

/** @param warn is told when the memory does not know what became of a message */
export function createSendOnce(memory: Memory, warn: (problem: string) => void): SendOnce {
	const claims = new Map<string, string>();

	/**
	 * The memory can only be asked by writing to it, so two that ask at once see each other. Hence the two
	 * marks: the second is asked for only where the first was there.
	 */
	async function look(keys: string[]): Promise<Set<string>> {
		const found = new Set<string>();
		for (let from = 0; from < keys.length; from += MAX_LOOKED_UP) {
			const marked = await which(keys.slice(from, from + MAX_LOOKED_UP), [firstMark]);
			for (const key of await which(marked, [secondMark, firstMark])) found.add(key);
		}
		return found;
	}

	/** @param marks the one that is asked for, then what a killed look left and means nothing without it */
	async function which(keys: string[], marks: Array<(key: string) => string>): Promise<string[]> {
		if (keys.length === 0) return [];
		const own = `look#${randomUUID()}`;
		const [entryOf] = marks;
		const known = await memory.record([...keys.map(entryOf), own]);
		const unknown = keys.filter((key) => !known.has(entryOf(key)));
		await release(
			memory,
			unknown.flatMap((key) => marks.map((mark) => mark(key))),
			own,
		);
		return keys.filter((key) => known.has(entryOf(key)));
	}

	const claimAndSend: SendOnce['once'] = async (key, send, fateOf) => {
		const claim = randomUUID();
		const claimed = await claimKey(memory, claimEntry(key), claim);
		if (claimed === 'taken') {
			const isSent = (await look([key])).has(key);
			return { skipped: isSent ? 'sentBefore' : 'outcomeUnknown' };
		}
		claims.set(key, claimOf(claimEntry(key), claim));
		if (claimed === 'unsettled') {
			await takeBack(key);
			throw new Error("n8n's database does not keep what is written to it");
		}
		const result = await send();
		const fate = fateOf(result);
		if (fate === 'sent') await mark(key);
		if (fate === 'notSent') await takeBack(key);
		return result;
	};

	/** What became of a message is known already: it must not be lost with the memory. */
	async function orWarn(problem: string, task: () => Promise<void>): Promise<void> {
		try {
			await task();
		} catch (error) {
			warn(`${problem}: ${reasonOf(error)}`);
		}
	}

	/** Unmarked, the key stays in doubt, which is safe. */
	async function mark(key: string): Promise<void> {
		const marks = [firstMark(key), secondMark(key)];
		await orWarn('A message was sent, and its Send Once Key could not be marked', async () => {
			const [before] = await Promise.all([
				memory.record(marks),
				memory.remove([claims.get(key) ?? key]),
			]);
			memory.keep(marks);
			if (before.size === 0) return;
			for (let write = 0; write < MARKS_BESIDE_A_LOOK; write++) await memory.record(marks);
		});
	}

	async function takeBack(key: string): Promise<void> {
		const entries = [claimEntry(key), firstMark(key), secondMark(key)];
		await orWarn('A message was not sent, and its Send Once Key could not be freed', async () => {
			await release(memory, entries, claims.get(key) ?? `freed#${randomUUID()}`);
		});
	}

	return {
		look,
		once: async (key, send, fateOf) =>
			await memory.inTurn(key, async () => await claimAndSend(key, send, fateOf)),
		takeBack,
		async close() {
			if (claims.size === 0) return;
			await orWarn('The Send Once Keys could not be written once more', async () => {
				await memory.record([]);
			});
		},
	};
}

function claimEntry(key: string): string {
	return `claimed:${key}`;
}

function firstMark(key: string): string {
	return `sent:${key}`;
}

function secondMark(key: string): string {
	return `sent indeed:${key}`;
}
