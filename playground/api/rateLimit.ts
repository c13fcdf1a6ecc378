import type { ResetUnit, Settings } from './settings.ts';

export interface Budget {
	allowed: boolean;
	/** Undefined without a limit. */
	remaining: number | undefined;
	resetAt: number;
}

interface Window {
	startedAt: number;
	requests: number;
}

/** Counts the requests of a key or an account, 60 a minute unless the settings say otherwise. */
export function createRateLimit(settings: Settings) {
	const windows = new Map<string, Window>();

	return function spend(counter: string, now: number): Budget {
		const { requestsPerWindow, windowMs } = settings;
		if (requestsPerWindow === 0) {
			return { allowed: true, remaining: undefined, resetAt: now + windowMs };
		}
		let window = windows.get(counter);
		if (!window || now >= window.startedAt + windowMs) {
			window = { startedAt: now, requests: 0 };
			windows.set(counter, window);
		}
		window.requests += 1;
		return {
			allowed: window.requests <= requestsPerWindow,
			remaining: Math.max(0, requestsPerWindow - window.requests),
			resetAt: window.startedAt + windowMs,
		};
	};
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
