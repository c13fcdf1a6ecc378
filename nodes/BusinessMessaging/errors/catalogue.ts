import type { InputCode } from '../inputError';

/** What went wrong, and what the user can do about it. */
export interface Sentence {
	message: string;
	remedy: string;
}

interface FailureText extends Sentence {
	/**
	 * What fails with it. `message`: its own message only. `template`: all messages of the template. `all`: every request
	 * of the account. `unclear`: one failure does not tell, but several in a row mean that all requests fail.
	 */
	about: 'message' | 'template' | 'all' | 'unclear';
	/** The code of the messaging network that means it. */
	networkCode?: string;
	/** The same, but not in the API document: networks of this kind send them. */
	undocumentedCodes?: readonly string[];
}

/** Every failure but wrong input. The codes are public: none changes once it is published. `{name}` is filled in. */
export const FAILURES = {
	keyRejected: {
		about: 'all',
		message: 'The API key is missing or not valid',
		remedy:
			'Paste a key from Settings → API Keys of your dashboard into the credential. Do not type it: n8n 2.41 may save only the first letter.',
	},
	noApiAccess: {
		about: 'all',
		message: "Your account's plan has no API access",
		remedy:
			'API access comes with the Scale and Enterprise plans: change the plan, or use a key of an account that has one.',
	},
	windowClosed: {
		about: 'message',
		networkCode: '131047',
		message: 'The 24-hour service window of this customer is closed',
		remedy:
			"Set Category to Auto, or to the category that the template is approved for: utility, marketing or authentication. With Auto, that is the Fallback Category. Free-form and service messages work within 24 hours of the customer's last message.",
	},
	notOnNetwork: {
		about: 'message',
		networkCode: '131026',
		message: 'The recipient is not a valid number or is not on the messaging network',
		remedy:
			'Write the number with plus sign and country code, or choose a Default Country. If it is right, the customer does not use the messaging app.',
	},
	noTemplate: {
		about: 'template',
		networkCode: '133004',
		undocumentedCodes: ['132001'],
		message: 'The template does not exist or is not approved',
		remedy:
			'Compare Template Name with the name in your dashboard, letter by letter, and check that it is approved, in all its languages.',
	},
	unsupportedType: {
		about: 'message',
		networkCode: '131051',
		message: 'This type of message is not supported for this recipient',
		remedy: 'Reach the customer in another way.',
	},
	networkHeldBack: {
		about: 'message',
		undocumentedCodes: ['131049', '131056'],
		message: 'The network held the message back, because this customer gets too many',
		remedy:
			'Wait at least 24 hours before you send to this number again, and send it fewer messages.',
	},
	customerOptedOut: {
		about: 'message',
		undocumentedCodes: ['131050'],
		message: 'This customer has stopped your marketing messages',
		remedy: 'Send no more marketing to this number, and remove it from your list.',
	},
	numberRestricted: {
		about: 'all',
		undocumentedCodes: ['131048'],
		message: 'The network restricts your business number: too many messages were reported as spam',
		remedy:
			'Send nothing more for now. Check the quality of your business number in the dashboard, or ask your provider.',
	},
	wrongVariables: {
		about: 'message',
		undocumentedCodes: ['132000', '132012'],
		message: 'The variables are not those that the template asks for',
		remedy:
			'Compare their number with the placeholders of the approved text, and their values with its samples in your dashboard.',
	},
	templatePaused: {
		about: 'template',
		undocumentedCodes: ['132015'],
		message: 'The template is paused, because customers rated it low',
		remedy: 'Improve the template in your dashboard, or send another one.',
	},
	undelivered: {
		about: 'message',
		message: 'The message could not be delivered',
		remedy: 'Check the number, or reach the customer in another way.',
	},
	refusedAsInvalid: {
		about: 'message',
		message: 'The API refused the request as invalid',
		remedy: 'Check {values}.',
	},
	notFound: {
		about: 'template',
		message: 'The API did not find the template or the address',
		remedy: 'Check Template Name, and the Base URL in the credential.',
	},
	noSuchAddress: {
		about: 'all',
		message: 'The server that answered has no such address',
		remedy: 'Check the Base URL in the credential.',
	},
	unknownMessage: {
		about: 'message',
		message: 'The API knows no message with this ID',
		remedy: 'Use the "message_id" from the output of Send Template, and a key of the same account.',
	},
	refused: {
		about: 'all',
		message: 'The API refused the request (HTTP {status})',
		remedy: 'Check the Base URL in the credential and the values of the node.',
	},
	rateLimited: {
		about: 'message',
		message: 'The rate limit of the API was exceeded',
		remedy:
			'Wait a minute and run the failed items again. Other workflows and tools with the same key count too: if it stays, set Requests per Minute lower. If only one message fails, the API may limit messages to its number.',
	},
	noTimeLeft: {
		about: 'message',
		message: 'The requests before it left no time for this one',
		remedy: 'Send fewer items at once, or raise Wait Timeout or Requests in Parallel.',
	},
	apiBroken: {
		about: 'unclear',
		message: 'The API is not working properly (HTTP {status})',
		remedy: 'Try again later. If it stays, contact the support of the API.',
	},
	incompleteResponse: {
		about: 'unclear',
		message: 'The API accepted the request, but its response has no {field}',
		remedy: 'Try again later.',
	},
	unclearResponse: {
		about: 'unclear',
		message: "The API's response is unclear (HTTP {status})",
		remedy: 'Check the Base URL in the credential and the values of the node.',
	},
	redirected: {
		about: 'all',
		message: 'The API address redirects to another address, which was not followed',
		remedy: 'Enter the address that the redirect leads to as Base URL in the credential.',
	},
	webPage: {
		about: 'all',
		message: 'A web page or proxy answered instead of the API',
		remedy:
			'Enter the address of the API, not of the dashboard, as Base URL in the credential. If it is right, a proxy or firewall keeps n8n from the API.',
	},
	connectionRefused: {
		about: 'all',
		message: 'The API could not be reached: the connection was refused',
		remedy:
			"Check the Base URL in the credential, n8n's proxy settings, and that the service runs.",
	},
	unknownHost: {
		about: 'all',
		message: 'The API could not be reached: its address was not found',
		remedy: "Check the Base URL in the credential for typos, and n8n's network and proxy.",
	},
	unreachable: {
		about: 'all',
		message: 'The API could not be reached: there is no route to it',
		remedy: 'Check the network, proxy and firewall of n8n.',
	},
	certificate: {
		about: 'all',
		message: 'The API could not be reached securely: its certificate was not accepted',
		remedy:
			'Check the Base URL in the credential. To trust a certificate of your own, n8n needs NODE_EXTRA_CA_CERTS.',
	},
	notEncrypted: {
		about: 'all',
		message: 'The API could not be reached securely: the server at this address does not use https',
		remedy:
			'Check the port in the Base URL of the credential. A server in your own network may need http://.',
	},
	timeout: {
		about: 'unclear',
		message: 'The API did not answer in time',
		remedy: 'Try again later, or raise Timeout under Expert Options.',
	},
	connectionFailed: {
		about: 'unclear',
		message: 'The connection to the API failed before it answered',
		remedy:
			'Try again later. If it stays, check the Base URL in the credential and the network of n8n.',
	},
	credentialUnusable: {
		about: 'all',
		message:
			'The credential could not be used: it was changed or deleted, or n8n could not read it',
		remedy: 'Open the credential, test it, and run the failed items again.',
	},
	overLimit: {
		about: 'all',
		message: 'This message would exceed the spending limit of {limit} for the run',
		remedy:
			'It was not sent. Raise Spending Limit under Options, or send the remaining items in another run.',
	},
	overBudget: {
		about: 'all',
		message:
			'This message would exceed the budget of {limit} for the {period}: {spent} of it are spent',
		remedy:
			'It was not sent. Raise Amount in Budget under Options, or run its item again when the {period} is over.',
	},
	tooManyPeople: {
		about: 'message',
		message: 'The budget for the {period} allows messages to no more people than {people}',
		remedy:
			'It was not sent. Raise People in Budget under Options, or run its item again when the {period} is over.',
	},
	keyOutcomeUnknown: {
		about: 'message',
		message: 'A message with this Send Once Key may already have been sent',
		remedy:
			'Another execution is still sending it, was killed while sending, or got no clear response. Check in the dashboard or with the customer. To send it again, run its item with another key.',
	},
	memoryUnusable: {
		about: 'all',
		message: "The memory of {option} can't be used: {reason}",
		remedy: 'Run it again when the database of n8n answers.',
	},
	retriedBefore: {
		about: 'all',
		message: 'The execution that is retried has gone on since then, so nothing was sent now',
		remedy: 'n8n took it for dead, or it was a manual run that waited. {rest}',
	},
	notStored: {
		about: 'all',
		message:
			'n8n has not stored what the execution that is retried has sent, so nothing was sent now',
		remedy: 'It was killed or stopped, is still running, or n8n cannot tell. {rest}',
	},
	calledBefore: {
		about: 'all',
		message:
			'The workflow that calls this one is being retried, and may have called it before, so nothing was sent now',
		remedy:
			'If an execution of this workflow has failed, retry that one: it sends the rest. Otherwise: {rest}',
	},
	otherVersion: {
		about: 'message',
		message: '{what} was saved by another version of this package, so nothing was sent now',
		remedy:
			'Install that version under Settings → Community nodes, and run it again. Otherwise: {rest}',
	},
	earlierCallUnknown: {
		about: 'message',
		message:
			'An earlier call of this tool may have sent this message, or one of the same template to the same number',
		remedy: 'Check in the dashboard or with the customer before it is sent again.',
	},
	interrupted: {
		about: 'message',
		message: 'The execution was interrupted while it sent this message, so it may have been sent',
		remedy:
			'Check in the dashboard or with the customer. To send it again, start a new run for its row.',
	},
	interruptedWithOtherValues: {
		about: 'message',
		message:
			'Before the execution was interrupted, a message of this template to this number was sent, or may have been, with other values',
		remedy:
			'Check in the dashboard or with the customer. To send this one, too, start a new run for its row.',
	},
	retryUnchecked: {
		about: 'all',
		message: 'It is not known whether this execution was retried already: {reason}',
		remedy: 'This Retry has sent nothing. Retry again when the database of n8n answers.',
	},
	canceled: {
		about: 'all',
		message: 'The execution was canceled',
		remedy: 'Run the workflow again when you are ready.',
	},
	unforeseen: {
		about: 'message',
		message: 'Something unforeseen went wrong: {reason}',
		remedy: 'Check the values of this item. Please report it if they are as they should be.',
	},
} as const satisfies Record<string, FailureText>;

export type FailureCode = keyof typeof FAILURES;

const TEXTS_BY_CODE = FAILURES as Partial<Record<string, FailureText>>;

/** By the code of the network: those of 7.2, and those that are not in the API document. */
export const NETWORK_CODES: Record<string, FailureCode> = Object.fromEntries(
	(Object.entries(TEXTS_BY_CODE) as Array<[FailureCode, FailureText]>).flatMap(
		([code, { networkCode, undocumentedCodes = [] }]) =>
			[networkCode ?? [], undocumentedCodes].flat().map((number) => [number, code]),
	),
);

export function isDocumented(networkCode: string): boolean {
	const text: FailureText = FAILURES[NETWORK_CODES[networkCode]];
	return text.networkCode === networkCode;
}

/** @returns undefined for wrong input, which is about its own message */
export function aboutOf(code: Cause['code']): FailureText['about'] | undefined {
	return TEXTS_BY_CODE[code]?.about;
}

/** What went wrong, under a name that stays. */
export interface Cause extends Sentence {
	code: FailureCode | InputCode;
}

/** @param values for the places in the sentences */
export function causeNamed<Code extends FailureCode>(
	code: Code,
	values: Record<string, string | number> = {},
): Cause & { code: Code } {
	const { message, remedy } = FAILURES[code];
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
	return { code, message: fill(message), remedy: fill(remedy) };
}
