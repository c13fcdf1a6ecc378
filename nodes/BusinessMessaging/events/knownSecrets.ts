import type { IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL } from '../api';
import type { Clock } from '../clock';

/** How long a secret still counts after it was taken out of the credential. */
const KNOWN_MS = 10_000;
/** One for each trigger. */
const MAX_KNOWN = 1000;

/**
 * The secrets that requests to a trigger carried in the last seconds. n8n starts an engine for
 * expressions to read a credential, which takes it longer than the rest of a request.
 */
export function createKnownSecrets(clock: Pick<Clock, 'ticks'>) {
	const known = new Map<string, { secrets: string[]; until: number }>();
	return {
		of(context: IWebhookFunctions) {
			const { id, credentials } = context.getNode();
			const key = [context.getWorkflow().id, id, credentials?.[CREDENTIAL]?.id].join('\n');
			return {
				get(): string[] {
					const entry = known.get(key);
					return entry && clock.ticks() < entry.until ? entry.secrets : [];
				},
				set(secrets: string[]): void {
					if (known.size >= MAX_KNOWN) known.clear();
					known.set(key, { secrets, until: clock.ticks() + KNOWN_MS });
				},
			};
		},
	};
}
