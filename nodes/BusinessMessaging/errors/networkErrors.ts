export interface Sentence {
	message: string;
	remedy: string;
}

/** 7.2: the messaging network's error codes. */
export const NETWORK_ERRORS: Record<string, Sentence> = {
	131047: {
		message: 'The 24-hour service window of this customer is closed',
		remedy:
			"Send an approved template with the category utility, marketing or authentication, or set Category to Auto. Free-form and service messages work within 24 hours of the customer's last message.",
	},
	131026: {
		message: 'The recipient is not a valid number or is not on the messaging network',
		remedy:
			'Check the number, with plus sign and country code, and that the customer uses the messaging app.',
	},
	133004: {
		message: 'The template does not exist or is not approved',
		remedy:
			'Compare Template Name with the name in your dashboard, letter by letter, and check that it is approved.',
	},
	131051: {
		message: 'This type of message is not supported for this recipient',
		remedy: 'Check the message type, and what the recipient can receive.',
	},
};
