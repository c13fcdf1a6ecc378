import type { DeduplicationMode, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../clock';
import { reasonOf } from '../inputError';
import { newOwner } from './lock';

/** Rows with names in n8n's database, which all processes of n8n share. n8n deletes them with the workflow. */
export interface Rows {
	/** False where n8n gives no rows by name: then what happens at the same moment may be forgotten. */
	readonly isExact: boolean;
	/**
	 * @param entries how many the row has from its creation on. If it is this owner's already, it gets so many.
	 * @returns whether the row is this owner's. Of all that try at the same moment, exactly one gets it.
	 */
	create: (name: string, owner: string, entries?: number) => Promise<boolean>;
	/** How many entries the row has; 0 without a row. Changes nothing. */
	count: (name: string) => Promise<number>;
	/** Gives this owner's row its second entry. */
	end: (name: string, owner: string) => Promise<void>;
	remove: (name: string) => Promise<void>;
	/** The same and more, in one attempt each. */
	readonly once: Statements;
}

/** What n8n can do with a row. Each call is one attempt, which throws when the database does not answer. */
export interface Statements {
	create: (name: string, owner: string, entries?: number) => Promise<boolean>;
	count: (name: string) => Promise<number>;
	remove: (name: string) => Promise<void>;
	/** Adds entries to a row without an owner. @returns those that were there before */
	add: (name: string, entries: string[]) => Promise<Set<string>>;
	/** Removes the oldest entries of a row without an owner, until so many are left. */
	trim: (name: string, entries: number) => Promise<void>;
	drop: (name: string, entries: string[]) => Promise<void>;
}

/** Whether n8n gives rows by name; undefined until this process has tried it. */
let isExact: Promise<boolean> | undefined;

/** @throws when the database does not answer */
export async function openRows(context: IExecuteFunctions, clock: Clock): Promise<Rows> {
	const exact = new ExactRows(context, clock);
	const plain = new PlainRows(context.helpers);
	// n8n gives the agent's node to a tool of an old AI agent.
	if (context.getExecuteData().node.id !== context.getNode().id) return plain;
	isExact ??= tryOut(context, exact).catch(async (error: unknown) => {
		isExact = undefined;
		return await Promise.reject(error);
	});
	return (await isExact) ? exact : plain;
}

async function tryOut({ helpers, logger }: IExecuteFunctions, rows: Rows): Promise<boolean> {
	const name = `trial:${newOwner()}`;
	const nodeCount = async () => await helpers.getProcessedDataCount('node', COUNTED);
	const before = await nodeCount();
	const isNew = (await rows.count(name)) === 0;
	const passes =
		isNew &&
		(await rows.create(name, 'one')) &&
		!(await rows.create(name, 'other')) &&
		(await rows.count(name)) === 1 &&
		(await nodeCount()) === before;
	if (isNew) await rows.remove(name);
	if (!passes) {
		logger.warn(
			'This n8n gives Business Messaging no rows of its own in its database, so it may not recognize repeated events, or messages with the same Send Once Key, that come at the same moment.',
		);
	}
	return passes;
}

const COUNTED: ICheckProcessedOptions = { mode: 'entries' };

/** Asks a database that does not answer again, for some seconds. */
class ExactRows implements Rows {
	readonly isExact = true;
	readonly once: NamedRows;

	constructor(
		context: IExecuteFunctions,
		private readonly clock: Clock,
	) {
		this.once = new NamedRows(context);
	}

	async create(name: string, owner: string, entries?: number): Promise<boolean> {
		return await this.persistently(async () => await this.once.create(name, owner, entries));
	}

	async count(name: string): Promise<number> {
		return await this.persistently(async () => await this.once.count(name));
	}

	async end(name: string, owner: string): Promise<void> {
		await this.persistently(async () => await this.once.end(name, owner));
	}

	/** Tried once: if only the response was lost, the row may be another owner's by now. */
	async remove(name: string): Promise<void> {
		await this.once.remove(name);
	}

	private async persistently<T>(task: () => Promise<T>): Promise<T> {
		const lastAttempt = this.clock.ticks() + PERSIST_MS - RETRY_MS;
		for (let attempts = 1; ; attempts++) {
			try {
				return await task();
			} catch (error) {
				// Always a second attempt, because the first may have been held up.
				const isOver = attempts > 1 && this.clock.ticks() > lastAttempt;
				if (isPermanent(error) || isOver) return await Promise.reject(error);
				await this.clock.sleep(RETRY_MS);
			}
		}
	}
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
class NamedRows implements Statements {
	constructor(private readonly context: IExecuteFunctions) {}

	async create(name: string, owner: string, entries = 1): Promise<boolean> {
		const texts = Array.from({ length: entries }, (_, index) => String(index));
		const write = async () => await this.write(name, texts, owner);
		const yes = () => true;
		const no = () => false;
		try {
			return await write().then(yes);
		} catch (error) {
			// It is another owner's, unless this one created it and only the response was lost.
			if ((await this.count(name)) > 0) return await write().then(yes, no);
			// Another owner had the row, and has just removed it.
			if (isTaken(error)) return false;
			return await Promise.reject(error);
		}
	}

	async count(name: string): Promise<number> {
		const { helpers } = this.context;
		return await this.addressed(
			name,
			async () => await helpers.getProcessedDataCount('node', COUNTED),
		);
	}

	async end(name: string, owner: string): Promise<void> {
		await this.write(name, ['ended'], owner);
	}

	async remove(name: string): Promise<void> {
		const { helpers } = this.context;
		await this.addressed(name, async () => await helpers.clearAllProcessedItems('node', COUNTED));
	}

	async add(name: string, entries: string[]): Promise<Set<string>> {
		return await this.write(name, entries, COUNTED.mode);
	}

	async trim(name: string, entries: number): Promise<void> {
		await this.write(name, [], COUNTED.mode, entries);
	}

	async drop(name: string, entries: string[]): Promise<void> {
		const { helpers } = this.context;
		await this.addressed(name, async () => await helpers.removeProcessed(entries, 'node', COUNTED));
	}

	private async write(name: string, entries: string[], mode: string, maxEntries?: number) {
		const { helpers } = this.context;
		const options = { mode: mode as DeduplicationMode, maxEntries };
		const record = async () => await helpers.checkProcessedAndRecord(entries, 'node', options);
		const { processed } = await this.addressed(name, record);
		return new Set(processed.map(String));
	}

	/** Not async: the node is n8n's own object, and nobody else may see the other ID. */
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
}

/**
 * Whether a row was another owner's: the primary key refused an INSERT, for which SQLite, PostgreSQL and MySQL
 * have a wording each, or n8n refused another mode than the row's.
 */
function isTaken(error: unknown): boolean {
	return /\b(unique|duplicate|incompatible)\b/i.test(reasonOf(error));
}

/** n8n asserts what a row needs, such as the ID of the workflow. */
export function isPermanent(error: unknown): boolean {
	return (error as { code?: unknown } | undefined)?.code === 'ERR_ASSERTION';
}

/**
 * Where n8n gives no rows by name: all are entries of the node's own row, which n8n reads, changes and writes
 * as a whole. What several executions record at the same moment may be forgotten, or seen by none.
 */
class PlainRows implements Rows {
	readonly isExact = false;
	private static readonly MAX_ENTRIES = 10_000;

	constructor(private readonly helpers: IExecuteFunctions['helpers']) {}

	async create(name: string): Promise<boolean> {
		return (await this.record(name, [name])).size === 0;
	}

	async count(name: string): Promise<number> {
		// An entry can only be found by recording it. If it can't be removed, it must not read as an ended one.
		if (!(await this.findByRecording(name))) return 0;
		return (await this.findByRecording(`${name}#ended`)) ? 2 : 1;
	}

	private async findByRecording(entry: string): Promise<boolean> {
		const isRecorded = (await this.record(entry, [entry])).size > 0;
		if (!isRecorded) await this.helpers.removeProcessed([entry], 'node', COUNTED);
		return isRecorded;
	}

	async end(name: string): Promise<void> {
		await this.record(name, [`${name}#ended`]);
	}

	async remove(name: string): Promise<void> {
		await this.helpers.removeProcessed([name, `${name}#ended`], 'node', COUNTED);
	}

	readonly once: Statements = {
		create: async () => await Promise.resolve(true),
		count: async () => await Promise.resolve(0),
		remove: async () => undefined,
		add: async (name, entries) => await this.record(name, entries),
		trim: async () => undefined,
		drop: async (_, entries) => await this.helpers.removeProcessed(entries, 'node', COUNTED),
	};

	private async record(_: string, entries: string[]): Promise<Set<string>> {
		const options = { ...COUNTED, maxEntries: PlainRows.MAX_ENTRIES };
		const { processed } = await this.helpers.checkProcessedAndRecord(entries, 'node', options);
		return new Set(processed.map(String));
	}
}
