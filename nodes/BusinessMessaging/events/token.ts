import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL } from '../api';
import { systemClock } from '../clock';
import { createKnownSecrets } from './knownSecrets';
import { acceptedSecrets, carriesSecret } from './secrets';

const knownSecrets = createKnownSecrets(systemClock);

/** What the sender is told, whatever the log says. */
export const TOKEN_REFUSED = 'The token is missing or wrong';

const NO_SECRET = 'The credential has no Webhook Secret. Enter one, or set Authentication to None.';
const NOT_COMPUTED =
	"n8n can't compute the credential's expressions for a trigger, because a trigger has no items. Choose a credential with fixed values.";

/** Why a request may not come in, for the log; undefined when it may. */
export async function tokenProblem(context: IWebhookFunctions): Promise<string | undefined> {
	if (!demandsToken(context)) return undefined;
	const request = context.getRequestObject();
	const known = knownSecrets.of(context);
	if (carriesSecret(request, known.get())) return undefined;
	const { secrets, problem } = await readSecrets(context);
	if (problem) return problem;
	if (!carriesSecret(request, secrets)) return 'the token is missing or wrong';
	known.set(secrets);
	return undefined;
}

/** Tells the user at once, in the editor, what would otherwise be a 401 to every event. */
export async function demandSecret(context: IHookFunctions): Promise<void> {
	if (!demandsToken(context)) return;
	const { problem } = await readSecrets(context);
	// The editor shows the message only.
	if (problem) throw new NodeOperationError(context.getNode(), problem);
}

function demandsToken(context: IWebhookFunctions | IHookFunctions): boolean {
	return context.getNodeParameter('authentication') !== 'none';
}

/** @returns the secrets, or why there are none */
async function readSecrets(
	context: IWebhookFunctions | IHookFunctions,
): Promise<{ secrets: string[]; problem?: string }> {
	try {
		const secrets = acceptedSecrets(await context.getCredentials<IDataObject>(CREDENTIAL));
		return secrets.length > 0 ? { secrets } : { secrets, problem: NO_SECRET };
	} catch (error) {
		return { secrets: [], problem: expressionProblem(error as Error) };
	}
}

/** @throws what is no matter of the credential's expressions, such as a failing database */
function expressionProblem(error: Error): string {
	if (error.name === 'ExpressionError') return NOT_COMPUTED;
	throw error;
}
