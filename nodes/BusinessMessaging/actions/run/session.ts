import type { IExecuteFunctions } from 'n8n-workflow';

import { turnsOf } from '../../transport/pacing/accounts';
import { createClient } from '../../transport/client';
import type { ClientParts } from '../../transport/client';
import { systemClock } from '../../transport/clock';
import { readConnection } from '../../transport/connection';
import { createExchange, CREDENTIAL } from '../../transport/request';
import type { Session } from '../operation';

type RunSize = Pick<ClientParts, 'concurrency' | 'calls'>;

export interface OpenSession extends Session {
	/** Lets what is under way end, and starts nothing more. */
	stop: () => void;
	close: () => void;
}

/** @throws InputError when the credential can't be used */
export async function openSession(
	context: IExecuteFunctions,
	{ concurrency, calls }: RunSize,
	memory: Pick<Session, 'sentBefore' | 'budget'>,
): Promise<OpenSession> {
	const connection = readConnection(await context.getCredentials(CREDENTIAL));
	const clock = systemClock;
	const canceled = context.getExecutionCancelSignal();
	const stopping = new AbortController();
	const stop = () => stopping.abort();
	if (canceled?.aborted) stop();
	canceled?.addEventListener('abort', stop);
	const client = createClient({
		connection,
		exchange: createExchange(context, connection.apiKey),
		turns: turnsOf(connection),
		clock,
		random: Math.random,
		concurrency,
		calls,
		signal: stopping.signal,
	});
	const close = () => {
		canceled?.removeEventListener('abort', stop);
		client.close();
	};
	return { client, clock, signal: stopping.signal, ...memory, stop, close };
}
