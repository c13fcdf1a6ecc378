import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

interface TokenCarrier {
	query: unknown;
	headers: Record<string, unknown>;
}

/** The secrets that a request may carry: the current one, and the previous one in a rotation. */
export function acceptedSecrets(credential: IDataObject): string[] {
	return [credential.webhookSecret, credential.previousWebhookSecret]
		.map((secret) => (typeof secret === 'string' ? secret.trim() : ''))
		.filter((secret) => secret !== '');
}

/**
 * Whether a request carries one of the secrets: as `?token=`, `X-Webhook-Token` or
 * `Authorization: Bearer`. Only strings count: `?token=a&token=b` arrives as a list.
 */
export function carriesSecret({ query, headers }: TokenCarrier, secrets: string[]): boolean {
	const offered = [
		(query as { token?: unknown } | undefined)?.token,
		headers['x-webhook-token'],
		bearerToken(headers.authorization),
	].filter((token): token is string => typeof token === 'string' && token !== '');
	return offered.flatMap((token) => secrets.map((secret) => isSame(token, secret))).includes(true);
}

function bearerToken(authorization: unknown): string | undefined {
	if (typeof authorization !== 'string') return undefined;
	return /^Bearer\s/i.test(authorization)
		? authorization.slice('Bearer '.length).trim()
		: undefined;
}

/** Digests have one length, so the comparison takes the same time for any two texts. */
function isSame(token: string, secret: string): boolean {
	return timingSafeEqual(digest(token), digest(secret));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
