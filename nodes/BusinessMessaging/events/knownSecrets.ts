import type { IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../transport/request';

/** So long a secret still counts after it was taken out of the credential. */
const KNOWN_MS = 10_000;
/** One for each trigger. */
const MAX_KNOWN = 1000;

const known = new Map<string, { secrets: string[]; untilMs: number }>();

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
			return entry && entry.untilMs > Date.now() ? entry.secrets : [];
		},
		set(secrets: string[]): void {
			if (known.size >= MAX_KNOWN) known.clear();
			known.set(key, { secrets, untilMs: Date.now() + KNOWN_MS });
		},
	};
}
