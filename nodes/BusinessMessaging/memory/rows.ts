import type { DeduplicationMode, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock';
import { newOwner, withLock } from './lock';

/** How long a database that does not answer is asked again. */
const PERSIST_MS = 15_000;
/** The same under a lock, which may end after 10 s. */
const LOCKED_PERSIST_MS = 5_000;
const RETRY_MS = 500;

const COUNTED: ICheckProcessedOptions = { mode: 'entries' };

/** Named rows in n8n's database, which all processes of n8n share. n8n deletes them with the workflow. */
export interface Rows {
	/** @returns whether the row is this owner's: of all that try at the same moment exactly one gets it */
	create: (name: string, owner: string) => Promise<boolean>;
	/** How many entries the row has: 0 without a row, 1 from its creation on. Changes nothing. */
	count: (name: string) => Promise<number>;
	/** Gives this owner's row its second entry. */
	end: (name: string, owner: string) => Promise<void>;
	remove: (name: string) => Promise<void>;
	/**
	 * Adds entries to a row that nobody creates; the oldest go when there are too many.
	 * @returns those that were there before
	 */
	record: (name: string, entries: string[], maxEntries: number) => Promise<Set<string>>;
	/** Runs a task while nobody else runs one for the same row. */
	exclusively: <T>(name: string, task: () => Promise<T>) => Promise<T>;
}

/**
 * n8n addresses a row by workflow and node. It reads the node's ID before its first `await`, so with another
 * ID for the length of one synchronous call, that call has a row of its own. The first write of a row is an
 * INSERT, which the primary key refuses to all but one. Later writes overwrite the whole row; but n8n
 * refuses, before it writes, a mode that is not the row's: so a row that somebody owns has its owner as its mode.
 */
class ExactRows implements Rows {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly clock: Clock,
	) {}

	async create(name: string, owner: string): Promise<boolean> {
		const insert = async () => await this.write(name, ['created'], owner);
		return await this.persistently(async () => {
			try {
				await insert();
				return true;
			} catch (error) {
				if ((await this.ask(name)) === 0) return await Promise.reject(error);
				// It is another owner's, unless this one created it and only the answer was lost.
				return await insert().then(
					() => true,
					() => false,
				);
			}
		});
	}

	async count(name: string): Promise<number> {
		return await this.persistently(async () => await this.ask(name));
	}

	async end(name: string, owner: string): Promise<void> {
		await this.persistently(async () => await this.write(name, ['ended'], owner));
	}

	/** Tried once: if only the answer was lost, the row may be another owner's by now. */
	async remove(name: string): Promise<void> {
		const { helpers } = this.context;
		const clear = async () => await helpers.clearAllProcessedItems('node', COUNTED);
		await this.addressed(name, clear);
	}

	async record(name: string, entries: string[], maxEntries: number): Promise<Set<string>> {
		const write = async () => await this.write(name, entries, COUNTED.mode, maxEntries);
		return await this.persistently(write, LOCKED_PERSIST_MS);
	}

	async exclusively<T>(name: string, task: () => Promise<T>): Promise<T> {
		return await withLock(this, name, this.clock, task);
	}

	private async ask(name: string): Promise<number> {
		const { helpers } = this.context;
		const count = async () => await helpers.getProcessedDataCount('node', COUNTED);
		return await this.addressed(name, count);
	}

	private async write(name: string, entries: string[], mode: string, maxEntries?: number) {
		const { helpers } = this.context;
		const options = { mode: mode as DeduplicationMode, maxEntries };
		const record = async () => await helpers.checkProcessedAndRecord(entries, 'node', options);
		const { processed } = await this.addressed(name, record);
		return new Set(processed.map(String));
	}

	/** Not async: nobody else may see the other ID, for the node is n8n's own object. */
	private addressed<T>(name: string, call: () => Promise<T>): Promise<T> {
		const { node } = this.context.getExecuteData();
		const { id } = node;
		try {
			node.id = name;
			return call();
		} finally {
			node.id = id;
		}
	}

	private async persistently<T>(task: () => Promise<T>, forMs = PERSIST_MS): Promise<T> {
		const lastTry = this.clock.ticks() + forMs - RETRY_MS;
		for (let tries = 1; ; tries++) {
			try {
				return await task();
			} catch (error) {
				// A second try always: the first may have been held up alone.
				const isOver = tries > 1 && this.clock.ticks() > lastTry;
				if (isPermanent(error) || isOver) return await Promise.reject(error);
				await this.clock.sleep(RETRY_MS);
			}
		}
	}
}

/** n8n asserts what a row needs, such as the ID of the workflow. */
function isPermanent(error: unknown): boolean {
	return (error as { code?: unknown } | undefined)?.code === 'ERR_ASSERTION';
}

/**
 * Where n8n gives no rows by name: all are entries of the node's own row, which n8n reads, changes and writes
 * as a whole. What happens at the same moment in several executions may be forgotten, or be seen by none.
 */
class PlainRows implements Rows {
	private static readonly MAX_ENTRIES = 10_000;

	constructor(private readonly helpers: IExecuteFunctions['helpers']) {}

	async create(name: string): Promise<boolean> {
		return (await this.record(name, [name])).size === 0;
	}

	async count(name: string): Promise<number> {
		const entries = [name, `${name}#ended`];
		const before = await this.record(name, entries);
		const added = entries.filter((entry) => !before.has(entry));
		await this.helpers.removeProcessed(added, 'node', COUNTED);
		return before.size;
	}

	async end(name: string): Promise<void> {
		await this.record(name, [`${name}#ended`]);
	}

	async remove(name: string): Promise<void> {
		await this.helpers.removeProcessed([name, `${name}#ended`], 'node', COUNTED);
	}

	async record(_: string, entries: string[]): Promise<Set<string>> {
		const options = { ...COUNTED, maxEntries: PlainRows.MAX_ENTRIES };
		const { processed } = await this.helpers.checkProcessedAndRecord(entries, 'node', options);
		return new Set(processed.map(String));
	}

	async exclusively<T>(_: string, task: () => Promise<T>): Promise<T> {
		return await task();
	}
}

/** Of this n8n; undefined until a row was tried out. */
let areExact: Promise<boolean> | undefined;

/** @throws when the database does not answer */
export async function openRows(context: IExecuteFunctions, clock: Clock): Promise<Rows> {
	const exact = new ExactRows(context, clock);
	const plain = new PlainRows(context.helpers);
	// To a tool of an old AI agent n8n gives the agent's node.
	if (context.getExecuteData().node.id !== context.getNode().id) return plain;
	areExact ??= tryOut(context, exact).catch(async (error: unknown) => {
		areExact = undefined;
		return await Promise.reject(error);
	});
	return (await areExact) ? exact : plain;
}

async function tryOut({ helpers, logger }: IExecuteFunctions, rows: Rows): Promise<boolean> {
	const name = `trial:${newOwner()}`;
	const ownCount = async () => await helpers.getProcessedDataCount('node', COUNTED);
	const before = await ownCount();
	const isNew = (await rows.count(name)) === 0;
	const isExact =
		isNew &&
		(await rows.create(name, 'one')) &&
		!(await rows.create(name, 'other')) &&
		(await rows.count(name)) === 1 &&
		(await ownCount()) === before;
	if (isNew) await rows.remove(name);
	if (!isExact) {
		logger.warn(
			'This n8n gives Business Messaging no rows of its own in its database, so it may not recognize repeated events, or messages with the same Send Once Key, that come at the same moment.',
		);
	}
	return isExact;
}
