import { createHash, timingSafeEqual } from 'crypto';
import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../api';
import { systemClock } from '../clock';
import { InputError } from '../inputError';
import { isText, textOf } from '../values';
import { readSecrets } from '../webhookSecret';

export const authenticationField = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'None', value: 'none', description: 'Anyone who knows the URL can send events' },
		{
			name: 'Secret Token',
			value: 'secretToken',
			description: 'The request must carry the Webhook Secret of the credential',
		},
	],
	default: 'secretToken',
	description: 'How a request proves that it comes from your account',
} as const satisfies INodeProperties;

const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';
const NOT_COMPUTED =
	"n8n can't compute the credential's expressions for a trigger, because a trigger has no items. Choose a credential with fixed values.";

/** How long a secret still counts after it was taken out of the credential. */
const KNOWN_MS = 10_000;
const MAX_KNOWN = 1000;
/**
 * The secrets of triggers that got a request in the last seconds. To read a credential, n8n starts an engine for
 * expressions, which takes longer than the rest of a request.
 */
const knownSecrets = new Map<string, { secrets: string[]; until: number }>();

/** Why a request may not come in, for the log; undefined when it may. */
export async function tokenProblem(context: IWebhookFunctions): Promise<string | undefined> {
	if (!requiresToken(context)) return undefined;
	const tokens = tokensIn(context);
	if (tokens.length === 0) return 'the token is missing';
	const { id, credentials } = context.getNode();
	const trigger = JSON.stringify([context.getWorkflow().id, id, credentials]);
	const known = knownSecrets.get(trigger);
	const now = systemClock.ticks();
	if (known && now < known.until && hasSecret(tokens, known.secrets)) return undefined;
	const { secrets, problem } = await secretsOf(context);
	if (problem) return problem;
	if (!hasSecret(tokens, secrets)) return 'the token is wrong';
	if (knownSecrets.size >= MAX_KNOWN) knownSecrets.clear();
	knownSecrets.set(trigger, { secrets, until: now + KNOWN_MS });
	return undefined;
}

/** Why every event would get a 401; undefined when none would. */
export async function secretProblem(context: IHookFunctions): Promise<string | undefined> {
	return requiresToken(context) ? (await secretsOf(context)).problem : undefined;
}

function requiresToken(context: IWebhookFunctions | IHookFunctions): boolean {
	return context.getNodeParameter(authenticationField.name) !== 'none';
}

/** @returns no secrets if there is a problem */
async function secretsOf(
	context: IWebhookFunctions | IHookFunctions,
): Promise<{ secrets: string[]; problem?: string }> {
	try {
		const secrets = readSecrets(await context.getCredentials(CREDENTIAL));
		return secrets.length > 0 ? { secrets } : { secrets, problem: NO_SECRET };
	} catch (error) {
		if (error instanceof InputError) return { secrets: [], problem: error.sentences };
		if ((error as Error).name === 'ExpressionError') return { secrets: [], problem: NOT_COMPUTED };
		// Such as that of a failing database.
		return await Promise.reject(error);
	}
}

/**
 * The tokens of a request: `?token=`, `X-Webhook-Token` and `Authorization: Bearer`. Only strings count:
 * `?token=a&token=b` arrives as a list.
 */
function tokensIn(context: IWebhookFunctions): string[] {
	const { query, headers } = context.getRequestObject();
	const [, bearer] = /^Bearer\s+(.*)/is.exec(textOf(headers.authorization)) ?? [];
	const inQuery = (query as { token?: unknown } | undefined)?.token;
	return [inQuery, headers['x-webhook-token'], bearer].filter(isText);
}

function hasSecret(tokens: string[], secrets: string[]): boolean {
	return tokens.flatMap((token) => secrets.map((secret) => isSame(token, secret))).includes(true);
}

/** Digests have one length, so the comparison takes the same time for any two texts. */
function isSame(token: string, secret: string): boolean {
	const [one, other] = [token, secret].map((text) => createHash('sha256').update(text).digest());
	return timingSafeEqual(one, other);
}
