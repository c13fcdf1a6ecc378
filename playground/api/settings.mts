import { API_KEYS, TEMPLATE_TEXTS, type ApiKey } from './wellKnown.mts';

export type ResetUnit = 'epochMs' | 'epochSeconds' | 'deltaSeconds' | 'isoDate' | 'httpDate';
export type ErrorShape = 'nested' | 'flat' | 'list' | 'errorData' | 'text' | 'html' | 'empty';

/** What the API document leaves open, and what a test or a demo wants to turn. All but host and port can change at run time. */
export interface Settings {
	/** A loopback address: the keys of this server are public. */
	host: string;
	/** 0 = any free port. */
	port: number;
	apiKeys: ApiKey[];

	/** 0 = no limit, and no rate-limit headers. */
	requestsPerWindow: number;
	windowMs: number;
	/** A fixed window opens with the first request after the previous one ended; a sliding one ends now. */
	rateLimitWindow: 'fixed' | 'sliding';
	rateLimitPer: 'key' | 'account';
	rateLimitHeaders: boolean;
	resetUnit: ResetUnit;
	retryAfter: 'none' | 'seconds' | 'httpDate';

	errorShape: ErrorShape;
	/** The HTTP status that carries a messaging-network error code. */
	networkErrorStatus: number;
	/** Refuse the next requests with these, in this order: a status, a messaging-network code, or 0 to break the connection. */
	failNext: number[];
	/** Between the work being done and its answer: a client that gives up earlier has sent its message. */
	latencyMs: number;
	/** From sending to delivery, or to failing. */
	deliveredAfterMs: number;
	/** From delivery to reading. */
	readAfterMs: number;

	webhookDeadlineMs: number;
	/** After the first attempt. */
	webhookRetries: number;
	/** Before the first retry; doubles with each further one. */
	webhookBackoffMs: number;
	/** Sent with each delivery, for example the trigger's token. */
	webhookHeaders: Record<string, string>;
	/** Deliveries under way at once. */
	webhookConcurrency: number;

	/** Refuse requests that break the contract with 400. */
	validateRequests: boolean;
	/** Also those with parts of which the document says nothing: further fields, a query, line breaks in a value. */
	refuseUndocumented: boolean;
	/** What templates say, by name. Only the phone page shows it: any name can be sent. */
	templateTexts: Record<string, string>;

	/** Keep requests, deliveries and what customers do, about 2 kB each, for tests and the phone page. */
	recordCalls: boolean;
}

export function defaultSettings(): Settings {
	return {
		host: '127.0.0.1',
		port: 0,
		apiKeys: structuredClone(API_KEYS),
		requestsPerWindow: 60,
		windowMs: 60_000,
		rateLimitWindow: 'fixed',
		rateLimitPer: 'account',
		rateLimitHeaders: true,
		resetUnit: 'epochMs',
		retryAfter: 'none',
		errorShape: 'nested',
		networkErrorStatus: 400,
		failNext: [],
		latencyMs: 0,
		deliveredAfterMs: 1000,
		readAfterMs: 2000,
		webhookDeadlineMs: 5000,
		webhookRetries: 3,
		webhookBackoffMs: 1000,
		webhookHeaders: {},
		webhookConcurrency: 100,
		validateRequests: true,
		refuseUndocumented: true,
		templateTexts: { ...TEMPLATE_TEXTS },
		recordCalls: true,
	};
}
