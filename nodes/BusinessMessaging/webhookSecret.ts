import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { InputError } from './inputError';

export const MIN_SECRET_LENGTH = 16;

const TAKE = "for example from n8n's Crypto node (Generate, Type HEX)";
/** What a URL or its receiver changes. */
const NOT_IN_URL = /[+&#%\s]/;

/**
 * @returns the current secret and, during a rotation, the previous one; none if no secret is entered
 * @throws InputError when requests could not bring it, or others could guess it
 */
export function readSecrets(credential: ICredentialDataDecryptedObject): string[] {
	const { webhookSecret, previousWebhookSecret, apiKey } = credential;
	const [secret, previous, key] = [webhookSecret, previousWebhookSecret, apiKey].map((each) =>
		typeof each === 'string' ? each.trim() : '',
	);
	// The editor shows the previous secret only beside a current one.
	if (secret === '') return [];
	const secrets = previous === '' ? [secret] : [secret, previous];
	if (secrets.some(({ length }) => length < MIN_SECRET_LENGTH)) {
		throw new InputError(
			`A Webhook Secret in the credential has fewer than ${MIN_SECRET_LENGTH} characters`,
			`Take a longer one of letters and digits, ${TAKE}.`,
		);
	}
	if (secrets.some((each) => NOT_IN_URL.test(each))) {
		throw new InputError(
			'A Webhook Secret in the credential has +, &, #, % or white space in it, which does not arrive unchanged behind ?token=',
			`Take one of letters and digits only, ${TAKE}.`,
		);
	}
	if (secrets.includes(key)) {
		throw new InputError(
			'A Webhook Secret in the credential is the API key, which must not stand in a URL',
			`Take another one, ${TAKE}. If a URL in your dashboard has the key already, generate a new API key.`,
		);
	}
	return secrets;
}
