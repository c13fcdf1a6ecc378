import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

const GREETING =
	'This address receives events. It works: enter it in your dashboard as the webhook URL. If you chose a secret, add ?token= and the secret to its end.\n';
const MAX_CHALLENGE_LENGTH = 1000;
const CHALLENGE_KEYS = ['challenge', 'hub.challenge'];

/**
 * Answers a GET on the webhook URL, from a browser or from a dashboard that tests the address. Says
 * nothing about the workflow; a challenge is sent back as it came, as plain text.
 */
export function greet(context: IWebhookFunctions): IWebhookResponseData {
	const query = context.getRequestObject().query as Record<string, unknown>;
	const challenge = CHALLENGE_KEYS.map((key) => query[key]).find(
		(value): value is string => typeof value === 'string' && value.length <= MAX_CHALLENGE_LENGTH,
	);
	const response = context.getResponseObject();
	response.setHeader('x-content-type-options', 'nosniff');
	response
		.status(200)
		.type('text/plain')
		.send(challenge ?? GREETING);
	return { noWebhookResponse: true };
}
