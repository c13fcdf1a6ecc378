import type { IExecuteFunctions } from 'n8n-workflow';
import type { Job, RunContext } from '../actions/job';
import { isOfAgent, runIndexOf } from '../n8n';
import { Client } from '../transport/client';
import type { Connection } from '../transport/credential';
import { createHttpRequest } from '../transport/httpRequest';
import { openRateLimiter } from '../transport/rateLimiter';
import type { ParsedItem } from './readItems';

/** The items of one account, in their order. */
interface Account {
	run: RunContext;
	jobs: Job[];
}

/** What all accounts of a run share. */
export type SharedContext = Omit<RunContext, 'client' | 'signal'>;

interface Work {
	parsedItems: ParsedItem[];
	options: {
		/** How many requests may be in flight at the same time, of all accounts together. */
		concurrency: number;
	};
	/** Jobs that will ask something of the API. */
	due: ReadonlyMap<Job, unknown>;
}

/** The accounts of a run. Each has a client, and so a rate limit and a circuit breaker, of its own. */
export class Accounts {
	readonly all: Account[];
	private readonly stopping = new AbortController();
	private readonly canceled?: AbortSignal;

	constructor(
		context: IExecuteFunctions,
		{ parsedItems, options, due }: Work,
		shared: SharedContext,
	) {
		const { clock } = shared;
		const { signal } = this;
		this.canceled = context.getExecutionCancelSignal();
		if (this.canceled?.aborted) this.stop();
		this.canceled?.addEventListener('abort', this.stop);
		const places = { free: options.concurrency };
		// A model calls its tool again for another message, not for the next rows.
		const round = isOfAgent(context) ? 0 : runIndexOf(context);
		this.all = [...jobsByConnection(parsedItems)].map(([connection, jobs]) => {
			const client = new Client({
				connection,
				httpRequest: createHttpRequest(context, connection, clock),
				rateLimiter: openRateLimiter(connection, clock),
				clock,
				random: Math.random,
				places,
				round,
				calls: jobs.filter((job) => due.has(job)).length,
				signal,
			});
			return { run: { ...shared, client, signal }, jobs };
		});
	}

	/** Aborted when the execution is canceled, or stops. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	/** The longest time for which the rate limit of an account delayed its calls, in ms. */
	get waitedMs(): number {
		return this.clients.reduce((most, client) => Math.max(most, client.waitedMs()), 0);
	}

	/** Starts no more requests. Requests in flight may end. */
	readonly stop = (): void => this.stopping.abort();

	close(): void {
		this.canceled?.removeEventListener('abort', this.stop);
		for (const client of this.clients) client.close();
	}

	private get clients(): Client[] {
		return this.all.map(({ run }) => run.client);
	}
}

/** Messages to one number go out one by one, in the order of their items. */
export function byNumber(jobs: Job[]): Job[][] {
	const groups = new Map<unknown, Job[]>();
	for (const job of jobs) {
		const number = job.recipient?.to ?? job.itemIndex;
		groups.set(number, [...(groups.get(number) ?? []), job]);
	}
	return [...groups.values()];
}

function jobsByConnection(parsedItems: ParsedItem[]): Map<Connection, Job[]> {
	const accounts = new Map<Connection, Job[]>();
	for (const item of parsedItems) {
		if ('failure' in item) continue;
		const jobs = accounts.get(item.connection) ?? [];
		accounts.set(item.connection, jobs);
		jobs.push(item.job);
	}
	return accounts;
}
