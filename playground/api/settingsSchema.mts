import type { Settings } from './settings.mts';
import { REFUSALS } from './wellKnown.mts';

const count = { type: 'integer', minimum: 0 };
const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 };
const yesOrNo = { type: 'boolean' };
const text = { type: 'string', minLength: 1 };
const textByName = { type: 'object', additionalProperties: { type: 'string' } };
const failures = [0, ...REFUSALS.map(({ httpStatus, code }) => httpStatus ?? code)];
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });

type RunTimeSetting = Exclude<keyof Settings, 'host' | 'port'>;

const properties: Record<RunTimeSetting, object> = {
	apiKeys: {
		type: 'array',
		items: {
			type: 'object',
			additionalProperties: false,
			required: ['key', 'account', 'plan'],
			properties: { key: text, account: text, plan: oneOf('Free', 'Start', 'Scale', 'Enterprise') },
		},
	},
	requestsPerWindow: count,
	windowMs: { ...milliseconds, minimum: 1 },
	rateLimitWindow: oneOf('fixed', 'sliding'),
	rateLimitPer: oneOf('key', 'account'),
	rateLimitHeaders: yesOrNo,
	resetUnit: oneOf('epochMs', 'epochSeconds', 'deltaSeconds', 'isoDate', 'httpDate'),
	retryAfter: oneOf('none', 'seconds', 'httpDate'),
	errorShape: oneOf('nested', 'flat', 'list', 'errorData', 'text', 'html', 'empty'),
	networkErrorStatus: { type: 'integer', minimum: 400, maximum: 599 },
	failNext: { type: 'array', maxItems: 1000, items: { enum: failures } },
	latencyMs: milliseconds,
	deliveredAfterMs: milliseconds,
	readAfterMs: milliseconds,
	webhookDeadlineMs: { ...milliseconds, minimum: 1 },
	webhookRetries: { ...count, maximum: 10 },
	webhookBackoffMs: milliseconds,
	webhookHeaders: textByName,
	webhookConcurrency: { type: 'integer', minimum: 1, maximum: 1000 },
	validateRequests: yesOrNo,
	refuseUndocumented: yesOrNo,
	templateTexts: textByName,
	recordCalls: yesOrNo,
};

export const settingsSchema = { type: 'object', additionalProperties: false, properties };
