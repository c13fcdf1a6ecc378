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
	try {
		const secrets = await webhookSecretsOf(context);
		if (!hasSecret(tokens, secrets)) return 'the token is wrong';
		if (knownSecrets.size === MAX_KNOWN) knownSecrets.clear();
		knownSecrets.set(trigger, { secrets, until: now + KNOWN_MS });
		return undefined;
	} catch (error) {
		// Others are such as that of a failing database.
		return error instanceof InputError ? error.sentences : await Promise.reject(error);
	}
}

export function requiresToken(context: IWebhookFunctions | IHookFunctions): boolean {
	return context.getNodeParameter(authenticationField.name) !== 'none';
}

/** @throws InputError when the credential has no usable secret, so that every event would get a 401 */
export async function webhookSecretsOf(
	context: IWebhookFunctions | IHookFunctions,
): Promise<string[]> {
	const credential = await context.getCredentials(CREDENTIAL).catch(refuseExpressions);
	const secrets = readSecrets(credential);
	if (secrets.length > 0) return secrets;
	throw new InputError(
		'The credential has no Webhook Secret',
		'Enter one, or set Authentication to None.',
	);
}

function refuseExpressions(error: Error): never {
	if (error.name !== 'ExpressionError') throw error;
	throw new InputError(
		"n8n can't compute the credential's expressions for a trigger, because a trigger has no items",
		'Choose a credential with fixed values.',
	);
}

/**
 * The tokens of a request: `?token=`, `X-Webhook-Token` and `Authorization: Bearer`. Only strings count:
 * `?token=a&token=b` arrives as a list.
 */
function tokensIn(context: IWebhookFunctions): string[] {
	const { query, headers } = context.getRequestObject();
	const bearer = /^Bearer\s+(.*)/is.exec(textOf(headers.authorization))?.[1];
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
