import { InputError } from './inputError';
import type { Sentence } from './networkErrors';

/** n8n's own words, which are all that tells one of its errors from another. */
const MISSING_CREDENTIAL: Array<[RegExp, string]> = [
	[/^Node does not have any credentials set/, 'No credential is chosen'],
	[/^Credential with ID .* (does not exist|was not found)/, 'The chosen credential does not exist'],
];

/** @param message of what n8n threw while it read the credential of a node */
export function missingCredential(message: string): InputError | undefined {
	const known = MISSING_CREDENTIAL.find(([says]) => says.test(message));
	return known && new InputError(known[1], 'Choose a credential at the top of the node.');
}

// What the test of a credential says: shorter than a run's sentences, for its fields are in front of the user.

export const NOT_THE_API: Sentence = {
	message: 'Something answered that is not the API',
	remedy: 'Check the Base URL.',
};

export const BASE_URL_REDIRECTS: Sentence = {
	message: 'The Base URL redirects to another address',
	remedy: 'Enter the address that it leads to.',
};

export const WAIT_A_MINUTE = 'Wait a minute and try again.';

export const CHECK_NETWORK = 'Check the Base URL and the network of n8n, or try again later.';

/** @param url what was asked for */
export function noSuchAddress(url: string): Sentence {
	return {
		message: 'The server that answered has no such address',
		remedy: `Check the Base URL, and the path in it. n8n asked for ${url}.`,
	};
}

/** @param text what the API says */
export function refusedWith(text: string | undefined): Sentence {
	return {
		message: 'The API refused the request',
		remedy: text ? `It says: "${text}".` : 'Check the Base URL and the API key.',
	};
}
