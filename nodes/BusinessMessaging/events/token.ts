import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL } from '../api';
import { systemClock } from '../clock';
import { createKnownSecrets } from './knownSecrets';
import { acceptedSecrets, carriesSecret } from './secrets';

const knownSecrets = createKnownSecrets(systemClock);

/** What the sender is told, whatever the log says. */
export const TOKEN_REFUSED = 'The token is missing or wrong';

/** Why a request may not come in, for the log; undefined when it may. */
export async function tokenProblem(context: IWebhookFunctions): Promise<string | undefined> {
	if (!demandsToken(context)) return undefined;
	const request = context.getRequestObject();
	const known = knownSecrets.of(context);
	if (carriesSecret(request, known.get())) return undefined;
	const secrets = await readSecrets(context);
	if (secrets === 'ofAnItem') {
		return 'the credential has an expression that reads an item, and a trigger has none: choose one with fixed values';
	}
	if (secrets.length === 0) {
		return 'the credential has no Webhook Secret: set one, or set Authentication to None';
	}
	if (!carriesSecret(request, secrets)) return 'the token is missing or wrong';
	known.set(secrets);
	return undefined;
}

/** Tells the user at once, in the editor, what would otherwise be a 401 to every event. */
export async function demandSecret(context: IHookFunctions): Promise<void> {
	if (!demandsToken(context)) return;
	const secrets = await readSecrets(context);
	if (secrets !== 'ofAnItem' && secrets.length > 0) return;
	// The editor shows the message only.
	throw new NodeOperationError(
		context.getNode(),
		secrets === 'ofAnItem'
			? 'The credential has an expression that reads an item, and a trigger has none. Choose a credential with fixed values.'
			: 'The credential has no Webhook Secret. Enter one, or set Authentication to None.',
	);
}

function demandsToken(context: IWebhookFunctions | IHookFunctions): boolean {
	return context.getNodeParameter('authentication') !== 'none';
}

/** @returns `ofAnItem` when n8n can't compute the credential, for want of an item to read */
async function readSecrets(
	context: IWebhookFunctions | IHookFunctions,
): Promise<string[] | 'ofAnItem'> {
	try {
		return acceptedSecrets(await context.getCredentials<IDataObject>(CREDENTIAL));
	} catch (error) {
		return ofAnItem(error as Error);
	}
}

function ofAnItem(error: Error): 'ofAnItem' {
	if (error.name === 'ExpressionError') return 'ofAnItem';
	throw error;
}
