import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { InputError } from '../../errors/inputError';
import { readConnection } from '../connection';
import { staysAt } from './destination';
import type { Destination } from './destination';

/**
 * Adds the key (section 5), and only to requests that go to the base URL's origin, straight and
 * without following redirects: the HTTP client would take the header along to any address.
 * @throws InputError
 */
export function authenticate<Request extends Destination & { proxy?: unknown }>(
	credential: ICredentialDataDecryptedObject,
	request: Request,
) {
	const { baseUrl, apiKey } = readConnection(credential);
	const { origin } = new URL(baseUrl);
	if (!staysAt(origin, request)) {
		throw new InputError(
			'The API key is sent to the Base URL of its credential only',
			`Use an address that starts with ${origin}.`,
		);
	}
	if (request.proxy) {
		throw new InputError(
			'The API key is not sent through a proxy that is set in a node',
			"Remove Proxy from the node's options. Who runs n8n can set one for all of it.",
		);
	}
	return {
		...request,
		headers: { ...request.headers, 'X-API-Key': apiKey },
		// Two names, because n8n's older and newer helpers listen to different ones.
		disableFollowRedirect: true,
		maxRedirects: 0,
	};
}
