import type { ApiResponse } from '../../../nodes/BusinessMessaging/api';
import type {
	ApiRequest,
	HttpRequest,
} from '../../../nodes/BusinessMessaging/transport/httpRequest';
import type { VirtualClock } from '../virtualClock.mts';

export interface SimulatedLimit {
	/** A fixed window opens with the first request after the last one; a sliding one looks back. */
	window: 'fixed' | 'sliding';
	headers: boolean;
	requestsPerMinute: number;
}

const WINDOW_MS = 60_000;

/** An API with a limit, whose responses take a while; a request is counted halfway. */
export function simulateApi(
	clock: VirtualClock,
	limit: SimulatedLimit,
	latencyMs: () => number,
	deliveredAfterMs = Infinity,
) {
	const { requestsPerMinute, window } = limit;
	/** When each accepted send was counted, in ticks. */
	const sends: Array<{ to: string; at: number }> = [];
	const rateLimited: number[] = [];
	let counted: number[] = [];
	let opensAt = -Infinity;

	function count(): { isAccepted: boolean; headers: ApiResponse['headers'] } {
		const at = clock.ticks();
		if (window === 'sliding') counted = counted.filter((time) => time > at - WINDOW_MS);
		else if (at >= opensAt + WINDOW_MS) {
			opensAt = at;
			counted = [];
		}
		const isAccepted = counted.length < requestsPerMinute;
		if (isAccepted) counted.push(at);
		const inMs = (window === 'sliding' ? counted[0] : opensAt) + WINDOW_MS - at;
		const headers = {
			'x-ratelimit-remaining': String(requestsPerMinute - counted.length),
			'x-ratelimit-reset': String(inMs / 1000),
		};
		return { isAccepted, headers: limit.headers ? headers : {} };
	}

	function response({ method, url, body }: ApiRequest): object {
		const at = clock.ticks();
		if (method === 'POST') {
			const id = `m${sends.length}`;
			sends.push({ to: String((body as { to?: string } | undefined)?.to), at });
			return { message_id: id, status: 'sent' };
		}
		const sent = sends[Number(url.split('/m').at(-1))];
		const isDelivered = sent !== undefined && at >= sent.at + deliveredAfterMs;
		return { status: isDelivered ? 'delivered' : 'sent' };
	}

	const httpRequest: HttpRequest = async (request) => {
		const latency = latencyMs();
		await clock.sleep(latency / 2);
		const { isAccepted, headers } = count();
		if (!isAccepted) rateLimited.push(clock.ticks());
		const body = isAccepted ? { success: true, data: response(request) } : {};
		await clock.sleep(latency / 2);
		return { status: isAccepted ? 200 : 429, headers, body };
	};
	return { httpRequest, sends, rateLimited };
}

export type SimulatedApi = ReturnType<typeof simulateApi>;
