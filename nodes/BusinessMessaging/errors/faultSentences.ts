import type { FaultKind } from './faults';
import type { Sentence } from './networkErrors';
import { TRY_LATER } from './sentences';

/** What the user reads when a request got no answer. */
export const FAULT_SENTENCES: Record<FaultKind, Sentence> = {
	refused: {
		message: 'The API could not be reached: the connection was refused',
		remedy: 'Check the Base URL in the credential, and that the service is running.',
	},
	unknownHost: {
		message: 'The API could not be reached: its address was not found',
		remedy: 'Check the Base URL in the credential for typos, and the network of n8n.',
	},
	unreachable: {
		message: 'The API could not be reached: there is no route to it',
		remedy: 'Check the network, proxy and firewall of n8n.',
	},
	certificate: {
		message: 'The API could not be reached securely: its certificate was not accepted',
		remedy:
			'Check the Base URL in the credential. A server of your own needs a certificate that n8n trusts.',
	},
	notEncrypted: {
		message: 'The API could not be reached securely: no https is spoken at its address',
		remedy:
			'Check the port in the Base URL of the credential. A server in your own network may need http://.',
	},
	credential: {
		message:
			'The credential could not be used: it was changed or deleted, or n8n could not read it',
		remedy: 'Open the credential, test it, and run the failed items again.',
	},
	timeout: {
		message: 'The API did not answer in time',
		remedy: 'Try again later, or raise Timeout under Options.',
	},
	closed: {
		message: 'The connection to the API was closed before it answered',
		remedy: TRY_LATER,
	},
	canceled: {
		message: 'The execution was canceled',
		remedy: 'Run the workflow again when you are ready.',
	},
	other: {
		message: 'The request to the API failed',
		remedy: 'Check the Base URL in the credential and the network of n8n.',
	},
};
