import type { IExecuteFunctions } from 'n8n-workflow';

import { createClient } from '../transport/client';
import { systemClock } from '../transport/clock';
import { readConnection } from '../transport/connection';
import { isTool } from '../transport/errors';
import { sharedPacer } from '../transport/pacing';
import { createExchange, CREDENTIAL } from '../transport/request';
import type { Session } from './operation';
import { createSentBefore, nothingSentBefore } from './sentBefore';

export interface OpenSession extends Session {
	/** Lets what is under way end, and starts nothing more. */
	stop: () => void;
	close: () => void;
}

/** @throws InputError when the credential can't be used */
export async function openSession(
	context: IExecuteFunctions,
	concurrency: number,
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
	const sentBefore = context.getNode().retryOnFail
		? createSentBefore(context.getContext('node'), runIndexOf(context), isTool(context.getNode()))
		: nothingSentBefore;
	const close = () => canceled?.removeEventListener('abort', stop);
	return { client, clock, signal: stopping.signal, sentBefore, stop, close };
}

/** How often this node has run in the execution; loops run it again. */
function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex ?? 0);
}
