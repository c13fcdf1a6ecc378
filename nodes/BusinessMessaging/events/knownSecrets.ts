import type { IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../transport/request';

/** How long a secret still counts after it was taken out of the credential. */
const KNOWN_MS = 10_000;
/** One for each trigger. */
const MAX_KNOWN = 1000;

const known = new Map<string, { secrets: string[]; knownAt: number }>();

/**
 * The secrets that a request to this trigger carried in the last seconds. n8n starts an engine for
 * expressions to read a credential, which takes it longer than the rest of a request.
 */
export function knownSecrets(context: IWebhookFunctions) {
	const { id, credentials } = context.getNode();
	const key = [context.getWorkflow().id, id, credentials?.[CREDENTIAL]?.id].join('\n');
	return {
		get(): string[] {
			const entry = known.get(key);
			if (entry && isNow(entry.knownAt)) return entry.secrets;
			known.delete(key);
			return [];
		},
		set(secrets: string[]): void {
			if (known.size >= MAX_KNOWN) known.clear();
			known.set(key, { secrets, knownAt: Date.now() });
		},
	};
}

/** Also false when the clock was set back. */
function isNow(knownAt: number): boolean {
	const ageMs = Date.now() - knownAt;
	return ageMs >= 0 && ageMs < KNOWN_MS;
}
