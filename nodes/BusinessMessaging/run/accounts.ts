import type { IExecuteFunctions } from 'n8n-workflow';
import type { Job, RunContext } from '../actions/job';
import { isOfAgent, runIndexOf } from '../n8n';
import { Client } from '../transport/client';
import { createHttpRequest } from '../transport/httpRequest';
import { openRateLimiter } from '../transport/rateLimiter';
import { grouped } from '../values';
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
	/** How many requests may be in flight at the same time, of all accounts together. */
	concurrency: number;
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
		{ parsedItems, concurrency, due }: Work,
		shared: SharedContext,
	) {
		const { clock } = shared;
		const { signal } = this;
		this.canceled = context.getExecutionCancelSignal();
		if (this.canceled?.aborted) this.stop();
		this.canceled?.addEventListener('abort', this.stop);
		const places = { free: concurrency };
		// A model calls its tool again for another message, not for the next rows.
		const round = isOfAgent(context) ? 0 : runIndexOf(context);
		const items = parsedItems.filter((item) => 'job' in item);
		const byAccount = grouped(items, ({ connection }) => connection);
		this.all = [...byAccount].map(([connection, ofAccount]) => {
			const jobs = ofAccount.map(({ job }) => job);
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
	const numberOf = ({ recipient, itemIndex }: Job) => recipient?.to ?? itemIndex;
	return [...grouped(jobs, numberOf).values()];
}
