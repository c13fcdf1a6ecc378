import type {
	ICheckProcessedContextData,
	IDataDeduplicator,
	IExecuteFunctions,
} from 'n8n-workflow';
import assert from 'node:assert/strict';

interface Row {
	mode: string;
	/** Or the latest number, in the mode for that. */
	data: string[];
	latest?: number;
}

/** What n8n asks of its database, one after the other. */
export type Statement = 'select' | 'insert' | 'update' | 'delete';

/**
 * n8n's memory of processed items as it is in 2.41.1 (`deduplication-helper.js`), on a table in this process. `before`
 * and `after` a statement decide how long it is on its way, and whether it and its answer arrive.
 */
export class ProcessedData implements IDataDeduplicator {
	/** By workflow and context. */
	readonly rows: Map<string, Row>;
	/** In their order. */
	readonly statements: Statement[];

	/** @param shared another process's, of which it is the same table */
	constructor(
		private readonly before: (statement: Statement) => Promise<void> = async () => undefined,
		private readonly after: (statement: Statement) => Promise<void> = async () => undefined,
		shared?: ProcessedData,
	) {
		this.rows = shared?.rows ?? new Map<string, Row>();
		this.statements = shared?.statements ?? [];
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		contextData,
		{ mode, maxEntries = Infinity },
	) => {
		const address = addressOf(scope, contextData);
		const row = await this.select(address);
		if (row && row.mode !== mode) throw new Error('incompatible setting');
		const { data = [], latest = -Infinity } = row ?? {};
		const isLatest = mode === 'latestIncrementalKey';
		const known = new Set(data);
		const isKnown = (item: unknown) =>
			isLatest ? Number(item) <= latest : known.has(String(item));
		const added = items.filter((item) => !isKnown(item));
		const processed = items.filter(isKnown);
		const all = isLatest ? [] : [...data, ...added.map(String)];
		const kept = all.slice(Math.max(0, all.length - maxEntries));
		const highest = isLatest ? Math.max(latest, ...items.map(Number)) : undefined;
		const written = { mode, data: kept, latest: highest };
		await this.write(row ? 'update' : 'insert', address, written);
		return { new: added, processed };
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, contextData) => {
		const address = addressOf(scope, contextData);
		const row = await this.select(address);
		if (!row) return;
		const gone = new Set(items.map(String));
		await this.write('update', address, {
			...row,
			data: row.data.filter((entry) => !gone.has(entry)),
		});
	};

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = async (scope, context) => {
		const address = addressOf(scope, context);
		await this.execute('delete', () => void this.rows.delete(address));
	};

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = async (
		scope,
		contextData,
		{ mode },
	) => {
		const row = await this.select(addressOf(scope, contextData));
		return mode === 'entries' && row ? row.data.length : 0;
	};

	private async select(address: string): Promise<Row | undefined> {
		return await this.execute('select', () => {
			const row = this.rows.get(address);
			return row && { ...row, data: [...row.data] };
		});
	}

	private async write(statement: 'insert' | 'update', address: string, row: Row): Promise<void> {
		await this.execute(statement, () => {
			const isThere = this.rows.has(address);
			if (isThere && statement === 'insert') {
				throw new Error('duplicate key value violates unique constraint');
			}
			// Of a row that somebody has deleted an update changes nothing.
			if (isThere || statement === 'insert') this.rows.set(address, row);
		});
	}

	private async execute<T>(statement: Statement, work: () => T): Promise<T> {
		await this.before(statement);
		this.statements.push(statement);
		const result = work();
		await this.after(statement);
		return result;
	}
}

function addressOf(scope: string, { workflow, node }: ICheckProcessedContextData): string {
	assert.equal(scope, 'node');
	return `${workflow.id} n:${node?.id}`;
}

/** What the nodes ask of n8n for this memory, in an execution of one node. */
export function contextOn(table: IDataDeduplicator, id = 'node', workflowId = 'workflow') {
	const node = { id };
	const contextData = { workflow: { id: workflowId }, node } as ICheckProcessedContextData;
	const log: string[] = [];
	const write = (line: string) => log.push(line);
	const helpers: Partial<IExecuteFunctions['helpers']> = {
		checkProcessedAndRecord: async (items, scope, options) =>
			await table.checkProcessedAndRecord(items, scope, contextData, options),
		removeProcessed: async (items, scope, options) =>
			await table.removeProcessed(items, scope, contextData, options),
		clearAllProcessedItems: async (scope, options) =>
			await table.clearAllProcessedItems(scope, contextData, options),
		getProcessedDataCount: async (scope, options) =>
			await table.getProcessedDataCount(scope, contextData, options),
	};
	const context = {
		getWorkflow: () => ({ id: workflowId, name: 'Answers' }),
		getNode: () => ({ id, name: 'Trigger', type: 'businessMessaging' }),
		getExecuteData: () => ({ node }),
		node,
		logger: { warn: write, info: write },
		helpers,
	} as unknown as IExecuteFunctions;
	return { context, node, log };
}
