import type { Answer } from '../../nodes/BusinessMessaging/answer';
import type { Clock } from '../../nodes/BusinessMessaging/clock';
import type { Fault } from '../../nodes/BusinessMessaging/errors/faults';
import { createClient } from '../../nodes/BusinessMessaging/transport/client';
import type {
	Call,
	Client,
	ClientParts,
	Reply,
} from '../../nodes/BusinessMessaging/transport/client';
import { createPacer } from '../../nodes/BusinessMessaging/transport/pacing/pacer';
import { createTurns } from '../../nodes/BusinessMessaging/transport/pacing/turns';
import type { ApiRequest, Exchange } from '../../nodes/BusinessMessaging/transport/request';
import { createVirtualClock } from './virtualClock.ts';

export const REFUSED: Fault = { kind: 'refused', beforeSending: true };
export const TIMED_OUT: Fault = { kind: 'timeout', beforeSending: false };
export const SENT: Answer = {
	status: 200,
	headers: {},
	body: { success: true, data: { message_id: 'm1' } },
};

/** An answer of the API, in its JSON. */
export function answer(status: number, headers: Answer['headers'] = {}): Answer {
	return { status, headers, body: {} };
}

function newTurns(clock: Clock) {
	return createTurns(
		createPacer(() => 0),
		clock,
	);
}

/** A client whose requests are answered by this exchange. */
export function clientWith(exchange: Exchange, clock: Clock, parts: Partial<ClientParts> = {}) {
	return createClient({
		connection: { baseUrl: 'https://api.example.com', apiKey: 'key' },
		exchange,
		turns: newTurns(clock),
		clock,
		random: () => 0,
		concurrency: 10,
		calls: 10,
		...parts,
	});
}

/** A client whose API gives these answers, one after the other; the last one goes on. */
export function clientFor(script: Array<Answer | Fault>, signal?: AbortSignal, latencyMs = 0) {
	const clock = createVirtualClock();
	const startedAt: number[] = [];
	const requests: ApiRequest[] = [];
	const start = clock.now();
	const exchange: Exchange = async (request) => {
		requests.push(request);
		startedAt.push(clock.now() - start);
		const result = script[Math.min(startedAt.length, script.length) - 1];
		if (latencyMs > 0) await clock.sleep(latencyMs);
		return result;
	};
	const turns = newTurns(clock);
	const clientOnSameKey = () => clientWith(exchange, clock, { turns, signal });
	return { client: clientOnSameKey(), clientOnSameKey, clock, startedAt, requests };
}

export function call(purpose: 'send' | 'status', retryUnknownOutcome = false): Call<string> {
	return {
		purpose,
		method: purpose === 'send' ? 'POST' : 'GET',
		path: '/',
		read: ({ body }) => (body as { data?: { message_id?: string } }).data?.message_id,
		timeoutMs: 1000,
		requestsPerMinute: 60,
		retryUnknownOutcome,
	};
}

/** Makes the calls as a run does: so many at a time. */
export async function callInTurn<Data>(
	client: Client,
	calls: Array<Call<Data>>,
	concurrency = 10,
): Promise<Array<Reply<Data>>> {
	const replies: Array<Reply<Data>> = [];
	const queue = calls.entries();
	const worker = async () => {
		for (const [index, each] of queue) replies[index] = await client.call(each);
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return replies;
}
