import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL } from '../transport/request';
import { acceptedSecrets } from './access';

/** Undefined when no token is asked for; empty, which lets nobody in, when none is set. */
export async function requiredSecrets(
	context: IWebhookFunctions | IHookFunctions,
): Promise<string[] | undefined> {
	if (context.getNodeParameter('authentication', 'secretToken') === 'none') return undefined;
	return acceptedSecrets(await context.getCredentials<IDataObject>(CREDENTIAL));
}

/** Tells the user at once, in the editor, what would otherwise be a 401 to every event. */
export async function demandSecret(context: IHookFunctions): Promise<void> {
	const secrets = await requiredSecrets(context);
	if (secrets?.length !== 0) return;
	// The editor shows the message only.
	throw new NodeOperationError(
		context.getNode(),
		'The credential has no Webhook Secret. Enter one, or set Authentication to None.',
	);
}
