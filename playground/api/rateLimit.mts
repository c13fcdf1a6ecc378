import type { ResetUnit, Settings } from './settings.mts';

export interface Budget {
	allowed: boolean;
	/** Undefined without a limit. */
	remaining: number | undefined;
	resetAt: number;
}

/** When requests came, of each counter; 60 a minute unless the settings say otherwise. */
export function createRateLimit(settings: Settings) {
	const spentAt = new Map<string, number[]>();

	function spend(counter: string, now: number): Budget {
		const { requestsPerWindow, windowMs } = settings;
		if (requestsPerWindow === 0) {
			return { allowed: true, remaining: undefined, resetAt: now + windowMs };
		}
		const counted = withinWindow(spentAt.get(counter) ?? [], settings, now);
		const allowed = counted.length < requestsPerWindow;
		if (allowed) counted.push(now);
		spentAt.set(counter, counted);
		return {
			allowed,
			remaining: Math.max(0, requestsPerWindow - counted.length),
			resetAt: counted[0] + windowMs,
		};
	}

	return { spend, clear: () => spentAt.clear() };
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** A fixed window forgets all its requests at its end, a sliding one each when it is as old as the window is long. */
function withinWindow(times: number[], { rateLimitWindow, windowMs }: Settings, now: number) {
	if (rateLimitWindow === 'sliding') return times.filter((time) => now < time + windowMs);
	return now < times[0] + windowMs ? times : [];
}

/** Whole seconds are rounded up: a client that waits until then must find a new window. */
export function resetValue(unit: ResetUnit, resetAt: number, now: number): string {
	switch (unit) {
		case 'epochMs':
			return String(resetAt);
		case 'epochSeconds':
			return String(Math.ceil(resetAt / 1000));
		case 'deltaSeconds':
			return String(Math.ceil((resetAt - now) / 1000));
		case 'isoDate':
			return new Date(resetAt).toISOString();
		case 'httpDate':
			return new Date(Math.ceil(resetAt / 1000) * 1000).toUTCString();
	}
}

export function rateLimitHeaders(settings: Settings, budget: Budget, now: number) {
	if (!settings.rateLimitHeaders || budget.remaining === undefined) return {};
	return {
		'x-ratelimit-remaining': String(budget.remaining),
		'x-ratelimit-reset': resetValue(settings.resetUnit, budget.resetAt, now),
	};
}

export function retryAfterHeader(settings: Settings, budget: Budget, now: number) {
	if (settings.retryAfter === 'none') return {};
	const unit = settings.retryAfter === 'seconds' ? 'deltaSeconds' : 'httpDate';
	return { 'retry-after': resetValue(unit, budget.resetAt, now) };
}
