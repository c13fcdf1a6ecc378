import type { ApiResponse } from '../../nodes/BusinessMessaging/api';
import type { Clock } from '../../nodes/BusinessMessaging/clock';
import { connectionFailure } from '../../nodes/BusinessMessaging/errors/connectionErrors';
import type { Failure } from '../../nodes/BusinessMessaging/errors/failure';
import {
	LOOK_UP_SENTENCES,
	SEND_SENTENCES,
} from '../../nodes/BusinessMessaging/errors/responseErrors';
import {
	type Call,
	Client,
	type ClientParts,
	type Reply,
} from '../../nodes/BusinessMessaging/transport/client';
import type { ApiRequest, HttpRequest } from '../../nodes/BusinessMessaging/transport/httpRequest';
import { Pacer } from '../../nodes/BusinessMessaging/transport/pacer';
import { RateLimiter } from '../../nodes/BusinessMessaging/transport/rateLimiter';
import { createVirtualClock } from './virtualClock.mts';

export const CONNECTION_REFUSED = connectionFailure('connectionRefused', 'notSent');
export const TIMED_OUT = connectionFailure('timeout', 'unknown');
export const SENT: ApiResponse = {
	status: 200,
	headers: {},
	body: { success: true, data: { message_id: 'm1' } },
};

/** A response of the API, in its JSON. */
export function response(status: number, headers: ApiResponse['headers'] = {}): ApiResponse {
	return { status, headers, body: {} };
}

/** A client that makes its requests by this function. */
export function clientWith(
	httpRequest: HttpRequest,
	clock: Clock,
	parts: Partial<ClientParts> = {},
) {
	return new Client({
		connection: { baseUrl: 'https://api.example.com', apiKey: 'key' },
		httpRequest,
		rateLimiter: new RateLimiter(new Pacer(() => 0), clock),
		clock,
		random: () => 0,
		signal: new AbortController().signal,
		places: { free: 10 },
		calls: 10,
		round: 0,
		...parts,
	});
}

/** A client whose requests end like this, one after the other, and all others like the last one. */
export function clientFor(
	script: Array<ApiResponse | Failure>,
	signal = new AbortController().signal,
	latencyMs = 0,
) {
	const clock = createVirtualClock();
	const startedAt: number[] = [];
	const requests: ApiRequest[] = [];
	const httpRequest: HttpRequest = async (request) => {
		requests.push(request);
		startedAt.push(clock.ticks());
		const result = script[Math.min(startedAt.length, script.length) - 1];
		if (latencyMs > 0) await clock.sleep(latencyMs);
		return result;
	};
	return { client: clientWith(httpRequest, clock, { signal }), clock, startedAt, requests };
}

export function call(kind: 'send' | 'lookUp'): Call<string> {
	return {
		method: kind === 'send' ? 'POST' : 'GET',
		isIdempotent: kind === 'lookUp',
		sentences: kind === 'send' ? SEND_SENTENCES : LOOK_UP_SENTENCES,
		path: '/',
		read: ({ body }) => (body as { data?: { message_id?: string } }).data?.message_id,
		timeoutMs: 1000,
		requestsPerMinute: 60,
	};
}

/** Makes the calls as a run does: so many at a time. */
export async function callInTurn(client: Client, calls: Array<Call<string>>, concurrency = 10) {
	const replies: Array<Reply<string>> = [];
	const queue = calls.entries();
	const worker = async () => {
		for (const [index, each] of queue) replies[index] = await client.call(each);
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return replies;
}
