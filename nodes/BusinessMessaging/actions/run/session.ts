import type { IExecuteFunctions } from 'n8n-workflow';

import { openTurns } from '../../transport/accounts';
import { createClient } from '../../transport/client';
import type { Connection } from '../../transport/connection';
import { Slots } from '../../transport/pacing/turns';
import { createExchange } from '../../transport/request';
import type { Session } from '../operation';
import type { Reading } from './readItems';

/** What is asked of one account in a run, in the order of the items. */
export interface AccountWork {
	session: Session;
	jobs: Array<[itemIndex: number, job: unknown]>;
}

type Given = Pick<Session, 'clock' | 'sentBefore' | 'sendOnce' | 'budget'>;

export interface OpenSession extends Given {
	/** One for each account that its items have. */
	accounts: AccountWork[];
	signal: AbortSignal;
	/** Time for which an account's rate limit held up its calls, of the account with the most, in ms. */
	waitedMs: () => number;
	/** Lets what is under way end, and starts nothing more. */
	stop: () => void;
	close: () => void;
}

/**
 * Each account has its own client, and so its own rate limit and its own end when nothing gets through.
 * @param due by item: those that will ask something of the API
 */
export function openSession(
	context: IExecuteFunctions,
	readings: Reading[],
	{ concurrency, due }: { concurrency: number; due: ReadonlyMap<number, unknown> },
	given: Given,
): OpenSession {
	const { clock } = given;
	const canceled = context.getExecutionCancelSignal();
	const stopping = new AbortController();
	const { signal } = stopping;
	const stop = () => stopping.abort();
	if (canceled?.aborted) stop();
	canceled?.addEventListener('abort', stop);
	const slots = new Slots(concurrency);
	const accounts = [...jobsByConnection(readings)].map(([connection, jobs]): AccountWork => {
		const client = createClient({
			connection,
			exchange: createExchange(context, connection, clock),
			turns: openTurns(connection, clock),
			clock,
			random: Math.random,
			...{ concurrency, slots, calls: jobs.filter(([itemIndex]) => due.has(itemIndex)).length },
			signal,
		});
		return { session: { ...given, client, signal }, jobs };
	});
	const clients = accounts.map(({ session }) => session.client);
	return {
		...given,
		accounts,
		signal,
		waitedMs: () => clients.reduce((most, client) => Math.max(most, client.waitedMs()), 0),
		stop,
		close() {
			canceled?.removeEventListener('abort', stop);
			for (const client of clients) client.close();
		},
	};
}

function jobsByConnection(readings: Reading[]): Map<Connection, AccountWork['jobs']> {
	const accounts = new Map<Connection, AccountWork['jobs']>();
	for (const [itemIndex, reading] of readings.entries()) {
		if ('failure' in reading) continue;
		const jobs = accounts.get(reading.connection) ?? [];
		accounts.set(reading.connection, jobs);
		jobs.push([itemIndex, reading.job]);
	}
	return accounts;
}
