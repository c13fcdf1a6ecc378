import { createHash, randomBytes } from 'crypto';
import type {
	DeduplicationMode,
	ICheckProcessedOptions,
	IExecuteFunctions,
	INode,
} from 'n8n-workflow';
import type { Clock } from '../clock';
import { causeNamed } from '../errors/catalogue';
import { failureOf, failed, type Failed } from '../errors/failure';
import { InputError, NOTHING_SENT, reasonOf } from '../inputError';
import { OtherVersion } from '../layouts';
import { hasWorkflow, internalsOf } from '../n8n';

/** What n8n can do with a row. Each call is one attempt, which throws when the database does not answer. */
export type Statements = ReturnType<typeof namedRows>;

/**
 * Rows with names in n8n's database, which all processes of n8n share. n8n deletes them with the workflow. A database
 * that does not answer is asked again, for some seconds; but not to remove a row, because if only the response was
 * lost, the row may be another owner's by now.
 */
export type Rows = ReturnType<typeof persistentRows>;

/** For the names and modes of rows. 128 bits are enough to be unique. */
export function digestOf(text: string): string {
	const digest = createHash('sha256').update(text).digest().subarray(0, 16);
	return digest.toString('base64url');
}

/** A name for the owner of a row; no two are the same. */
export function newOwner(): string {
	return randomBytes(9).toString('base64url');
}

const LOOKS_AT_ONCE = 20;

/** Looks for each of the values, for several of them at the same moment. */
export async function lookForEach<T>(
	values: Iterable<T>,
	look: (value: T) => Promise<void>,
): Promise<void> {
	const queue = [...values].values();
	const worker = async () => {
		for (const value of queue) await look(value);
	};
	await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker));
}

/** @returns the last number from 1 on, all up to which have it; found in few steps */
export async function lastWith(has: (number: number) => Promise<boolean>): Promise<number> {
	let [last, missing] = [0, 1];
	while (await has(missing)) [last, missing] = [missing, 2 * missing];
	while (missing - last > 1) {
		const number = Math.floor((last + missing) / 2);
		if (await has(number)) last = number;
		else missing = number;
	}
	return last;
}

/**
 * For the first message of a window of time.
 * @param reach so many windows are still needed, with this one
 * @param back how far the window before is looked for: the rows of an older one stay
 * @returns the windows whose rows nobody needs any more, each once
 */
export async function windowsOver(
	{ once }: Rows,
	name: string,
	window: number,
	reach: number,
	back: number,
): Promise<number[]> {
	const before = (await once.raise(name, window, back)) ?? window;
	const first = before - reach + 1;
	const last = Math.min(before, window - reach);
	return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** A later n8n may give no rows by name. */
export class NoRows extends Error {
	constructor() {
		super('n8n gives this node no rows of its own in its database');
	}
}

/**
 * @param option which can't be used then
 * @param error of n8n's database, or of an n8n without rows
 */
export function memoryProblem(option: string, error: unknown): InputError {
	const { message, remedy } = causeNamed('memoryUnusable', {
		option,
		reason: reasonOf(error),
	});
	if (error instanceof OtherVersion) {
		const install = `${NOTHING_SENT} Install that version under Settings → Community nodes.`;
		return new InputError(message, install, 'memoryUnusable');
	}
	if (!(error instanceof NoRows)) return new InputError(message, remedy, 'memoryUnusable');
	return new InputError(
		`${option} can't be used here, because ${error.message}`,
		'Remove the option.',
		'memoryUnusable',
	);
}

/** The same, as the outcome of a message. */
export function memoryFailure(option: string, error: unknown): Failed {
	return failed(failureOf(memoryProblem(option, error)));
}

/** Whether n8n gives rows by name; undefined until this process has tried it. */
let givesRows: Promise<boolean> | undefined;

/** @throws NoRows; or when the database does not answer */
export async function openRows(context: IExecuteFunctions, clock: Clock): Promise<Rows> {
	const { node } = internalsOf(context);
	// Rows belong to a workflow, whatever this process has tried in another one.
	if (!node || !hasWorkflow(context)) throw new NoRows();
	const rows = persistentRows(namedRows(context, node), clock);
	givesRows ??= tryOut(context, rows).catch(async (error: unknown) => {
		givesRows = undefined;
		return await Promise.reject(error);
	});
	if (!(await givesRows)) throw new NoRows();
	return rows;
}

/** Whether a row that is created twice, under names that nobody else has, is only its first owner's. */
async function tryOut({ helpers }: IExecuteFunctions, rows: Rows): Promise<boolean> {
	const name = `trial:${newOwner()}`;
	const nodeCount = async () => await helpers.getProcessedDataCount('node', COUNTED);
	const before = await nodeCount();
	const isNew = (await rows.count(name)) === 0;
	const passes =
		isNew &&
		(await rows.create(name, newOwner())) &&
		!(await rows.create(name, newOwner())) &&
		(await rows.count(name)) === 1 &&
		(await nodeCount()) === before;
	if (isNew) await rows.remove(name);
	return passes;
}

const COUNTED: ICheckProcessedOptions = { mode: 'entries' };

function persistentRows(once: Statements, clock: Clock) {
	const persistently =
		<Given extends unknown[], T>(attempt: (...given: Given) => Promise<T>) =>
		async (...given: Given): Promise<T> => {
			const lastAttempt = clock.ticks() + PERSIST_MS - RETRY_MS;
			for (let attempts = 1; ; attempts++) {
				try {
					return await attempt(...given);
				} catch (error) {
					// Always a second attempt, because the first may have been held up.
					const isOver = attempts > 1 && clock.ticks() > lastAttempt;
					if (isPermanent(error) || isOver) return await Promise.reject(error);
					await clock.sleep(RETRY_MS);
				}
			}
		};
	return {
		create: persistently(once.create),
		insert: persistently(once.insert),
		hasMode: persistently(once.hasMode),
		count: persistently(once.count),
		remove: once.remove,
		once,
	};
}

/** How long a database that does not answer is asked again. */
const PERSIST_MS = 15_000;
const RETRY_MS = 500;

/**
 * n8n addresses a row by workflow and node. It reads the node's ID before its first `await`, so a synchronous
 * call during which the node has another ID gets a row of its own. The first write of a row is an INSERT, which
 * the primary key allows to exactly one process. A later write replaces the whole row, but n8n
 * first compares the modes and refuses another mode than the row's. So the owner is stored as the mode.
 */
function namedRows({ helpers }: IExecuteFunctions, node: INode) {
	/** Not async: the node is n8n's own object, and nobody else may see the other ID. */
	function addressed<T>(name: string, call: () => Promise<T>): Promise<T> {
		const { id } = node;
		try {
			node.id = name;
			return call();
		} finally {
			node.id = id;
		}
	}

	async function write(name: string, entries: string[], mode: string, maxEntries?: number) {
		const options = { mode: mode as DeduplicationMode, maxEntries };
		const record = async () => await helpers.checkProcessedAndRecord(entries, 'node', options);
		const { processed } = await addressed(name, record);
		return new Set(processed.map(String));
	}

	/** How many entries the row has; 0 without a row. Changes nothing. */
	async function count(name: string): Promise<number> {
		return await addressed(name, async () => await helpers.getProcessedDataCount('node', COUNTED));
	}

	return {
		/**
		 * @param entries how many the row has from its creation on. If it is this owner's already, it gets so many.
		 * @returns whether the row is this owner's. Of all that try at the same moment, exactly one gets it.
		 */
		async create(name: string, owner: string, entries = 1) {
			const own = async () => await write(name, textsOf(entries), owner).then(() => true);
			try {
				return await own();
			} catch (error) {
				// It is another owner's, unless this one created it and only the response was lost.
				if ((await count(name)) > 0) return await own().catch(falseIfTaken);
				// Another owner had the row, and has just removed it.
				return await falseIfTaken(error);
			}
		},
		/**
		 * Creates a row that has so many entries and this mode, which stays with it.
		 * @returns whether this call has created it: of all, exactly one. If its response was lost, none.
		 */
		async insert(name: string, mode: string, entries = 1) {
			const before = write(name, textsOf(entries), mode);
			return await before.then(({ size }) => size === 0, falseIfTaken);
		},
		/** Whether the row, which there must be, has this mode. */
		async hasMode(name: string, mode: string) {
			return await write(name, [], mode).then(() => true, falseIfTaken);
		},
		count,
		async remove(name: string) {
			await addressed(name, async () => await helpers.clearAllProcessedItems('node', COUNTED));
		},
		/**
		 * Adds entries to a row without an owner, whose oldest ones go if it has more than so many then.
		 * @returns those that were there before
		 */
		async add(name: string, entries: string[], maxEntries: number) {
			return await write(name, entries, COUNTED.mode, maxEntries);
		},
		async drop(name: string, entries: string[]) {
			await addressed(name, async () => await helpers.removeProcessed(entries, 'node', COUNTED));
		},
		/**
		 * Raises the number that a row of its own kind holds. Two at the same moment may read the same number.
		 * @param back how far below the new number the one before is looked for
		 * @returns the number before; undefined if there was none, or it was lower
		 */
		async raise(name: string, to: number, back: number) {
			// n8n tells of each number whether it is above the one that it has, and keeps the highest.
			const numbers = Array.from({ length: back + 1 }, (_, index) => to - back + index);
			const options: ICheckProcessedOptions = { mode: 'latestIncrementalKey' };
			const record = async () => await helpers.checkProcessedAndRecord(numbers, 'node', options);
			const { processed } = await addressed(name, record);
			return processed.map(Number).at(-1);
		},
	};
}

/** So that a write that is repeated, or comes late, adds nothing. */
function textsOf(entries: number): string[] {
	return Array.from({ length: entries }, (_, index) => String(index));
}

/**
 * False if the row was another owner's: the primary key refused an INSERT, for which SQLite, PostgreSQL and MySQL
 * have a wording each, or n8n refused another mode than the row's. @throws any other error
 */
async function falseIfTaken(error: unknown): Promise<false> {
	const isTaken = /\b(unique|duplicate|incompatible)\b/i.test(reasonOf(error));
	return isTaken ? false : await Promise.reject(error);
}

/** Whether asking again can't help. n8n asserts what a row needs, such as the ID of the workflow, and its mode. */
export function isPermanent(error: unknown): boolean {
	const { code } = Object(error) as { code?: unknown };
	return (
		error instanceof NoRows || code === 'ERR_ASSERTION' || /\bincompatible\b/.test(reasonOf(error))
	);
}
