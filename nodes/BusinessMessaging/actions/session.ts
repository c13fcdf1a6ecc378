import type { IExecuteFunctions } from 'n8n-workflow';

import { createClient } from '../transport/client';
import { systemClock } from '../transport/clock';
import { readConnection } from '../transport/connection';
import { sharedPacer } from '../transport/pacing';
import { createExchange, CREDENTIAL } from '../transport/request';
import type { Session } from './operation';
import type { SentBefore } from './sentBefore';

export interface OpenSession extends Session {
	/** Lets what is under way end, and starts nothing more. */
	stop: () => void;
	close: () => void;
}

/** @throws InputError when the credential can't be used */
export async function openSession(
	context: IExecuteFunctions,
	concurrency: number,
	sentBefore: SentBefore,
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
		pacer: sharedPacer(connection, clock.now()),
		clock,
		random: Math.random,
		concurrency,
		signal: stopping.signal,
	});
	const close = () => canceled?.removeEventListener('abort', stop);
	return { client, clock, signal: stopping.signal, sentBefore, stop, close };
}
