import type { IExecuteFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../../api';
import { openTurns } from '../../transport/accounts';
import { createClient } from '../../transport/client';
import { readConnection } from '../../transport/connection';
import type { RunSize } from '../../transport/pacing/turns';
import { createExchange } from '../../transport/request';
import type { Session } from '../operation';

export interface OpenSession extends Session {
	/** Lets what is under way end, and starts nothing more. */
	stop: () => void;
	close: () => void;
}

/** @throws InputError when the credential can't be used */
export async function openSession(
	context: IExecuteFunctions,
	size: RunSize,
	given: Pick<Session, 'clock' | 'sentBefore' | 'sendOnce' | 'budget'>,
): Promise<OpenSession> {
	const connection = readConnection(await context.getCredentials(CREDENTIAL));
	const { clock } = given;
	const canceled = context.getExecutionCancelSignal();
	const stopping = new AbortController();
	const stop = () => stopping.abort();
	if (canceled?.aborted) stop();
	canceled?.addEventListener('abort', stop);
	const client = createClient({
		connection,
		exchange: createExchange(context, connection.apiKey, clock),
		turns: openTurns(connection, clock),
		clock,
		random: Math.random,
		...size,
		signal: stopping.signal,
	});
	const close = () => {
		canceled?.removeEventListener('abort', stop);
		client.close();
	};
	return { ...given, client, signal: stopping.signal, stop, close };
}
