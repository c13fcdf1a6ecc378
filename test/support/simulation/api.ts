import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import type {
	ApiRequest,
	HttpRequest,
} from '../../../nodes/BusinessMessaging/transport/httpRequest';
import type { VirtualClock } from '../virtualClock.ts';

export interface SimulatedLimit {
	/**
	 * A fixed window opens with the first request after the last one; a sliding one looks back. A bucket
	 * gets its tokens back one by one, and holds no more than `bucketSize`.
	 */
	window: 'fixed' | 'sliding' | 'bucket';
	bucketSize?: number;
	headers: boolean;
	requestsPerMinute: number;
	/** By how much the API's clock is ahead. */
	aheadMs?: number;
	reset?: 'seconds' | 'epoch';
}

export interface SimulatedApi {
	httpRequest: HttpRequest;
	/** When each accepted send was counted, in ticks. */
	sends: Array<{ to: string; at: number }>;
	rateLimited: number[];
}

const WINDOW_MS = 60_000;

/** An API with a limit, whose responses take a while; a request is counted halfway. */
export function simulateApi(
	clock: VirtualClock,
	limit: SimulatedLimit,
	latencyMs: () => number,
	deliveredAfterMs = Infinity,
): SimulatedApi {
	let counted: number[] = [];
	let opensAt = -Infinity;
	const sends: SimulatedApi['sends'] = [];
	const rateLimited: number[] = [];

	const bucketSize = limit.bucketSize ?? limit.requestsPerMinute;
	let tokens = bucketSize;
	let filledAt = 0;

	function takeToken(at: number): boolean {
		const since = ((at - filledAt) * limit.requestsPerMinute) / WINDOW_MS;
		tokens = Math.min(bucketSize, tokens + since);
		filledAt = at;
		if (tokens < 1) return false;
		tokens--;
		return true;
	}

	function count(): { isAccepted: boolean; headers: ApiResponse['headers'] } {
		const at = clock.ticks();
		if (limit.window === 'sliding') counted = counted.filter((time) => time > at - WINDOW_MS);
		else if (at >= opensAt + WINDOW_MS) {
			opensAt = at;
			counted = [];
		}
		const isAccepted =
			limit.window === 'bucket' ? takeToken(at) : counted.length < limit.requestsPerMinute;
		if (isAccepted) counted.push(at);
		const resetAt = (limit.window === 'sliding' ? counted[0] : opensAt) + WINDOW_MS;
		const { aheadMs = 0, reset = 'seconds' } = limit;
		const serverNow = clock.now() + aheadMs;
		const inMs = resetAt - at;
		return {
			isAccepted,
			headers: {
				date: new Date(serverNow).toUTCString(),
				...(limit.headers && {
					'x-ratelimit-remaining': String(limit.requestsPerMinute - counted.length),
					'x-ratelimit-reset':
						reset === 'seconds' ? String(inMs / 1000) : String(Math.ceil(serverNow + inMs)),
				}),
			},
		};
	}

	function response({ method, url, body }: ApiRequest): object {
		if (method === 'POST') {
			const id = `m${sends.length}`;
			sends.push({ to: String((body as { to?: string } | undefined)?.to), at: clock.ticks() });
			return { message_id: id, status: 'sent' };
		}
		const sent = sends[Number(url.split('/m').at(-1))];
		const isDelivered = sent !== undefined && clock.ticks() >= sent.at + deliveredAfterMs;
		return { status: isDelivered ? 'delivered' : 'sent' };
	}

	return {
		async httpRequest(request) {
			const latency = latencyMs();
			await clock.sleep(latency / 2);
			const { isAccepted, headers } = count();
			if (!isAccepted) rateLimited.push(clock.ticks());
			const body = isAccepted ? { success: true, data: response(request) } : {};
			await clock.sleep(latency / 2);
			return { status: isAccepted ? 200 : 429, headers, body };
		},
		sends,
		rateLimited,
	};
}
