export type Plan = 'Free' | 'Start' | 'Scale' | 'Enterprise';

export interface ApiKey {
	key: string;
	account: string;
	plan: Plan;
}

export const DEVELOPMENT_KEY = 'local-development-key';
export const PRODUCTION_KEY = 'local-production-key';
export const OTHER_ACCOUNT_KEY = 'local-other-account-key';
export const START_PLAN_KEY = 'local-start-plan-key';
export const FREE_PLAN_KEY = 'local-free-plan-key';

export const API_KEYS: ApiKey[] = [
	{ key: DEVELOPMENT_KEY, account: 'first', plan: 'Scale' },
	{ key: PRODUCTION_KEY, account: 'first', plan: 'Scale' },
	{ key: OTHER_ACCOUNT_KEY, account: 'second', plan: 'Enterprise' },
	{ key: START_PLAN_KEY, account: 'third', plan: 'Start' },
	{ key: FREE_PLAN_KEY, account: 'fourth', plan: 'Free' },
];

/** A refusal of section 7 of the API document. Without an HTTP status: a network code, carried by whatever status the settings say. */
export interface Refusal {
	code: string | number;
	httpStatus?: number;
	message: string;
}

export interface WellKnownRefusal extends Refusal {
	recipient: string;
	templateName: string;
}

// The numbers +1 202 555 0100 to 0199 are reserved for fiction. The last two digits are those of the status or code.
export const REFUSALS: WellKnownRefusal[] = [
	refusal('+12025550140', 400, 'BAD_REQUEST', 'Invalid request parameters'),
	refusal('+12025550141', 401, 'UNAUTHORIZED', 'Invalid or missing API key'),
	refusal('+12025550143', 403, 'FORBIDDEN', "API access not available on the account's plan"),
	refusal('+12025550144', 404, 'NOT_FOUND', 'Endpoint or resource not found'),
	refusal('+12025550129', 429, 'TOO_MANY_REQUESTS', 'Rate limit exceeded'),
	refusal('+12025550100', 500, 'INTERNAL_SERVER_ERROR', 'Server error'),
	networkRefusal('+12025550147', 131047, 'Re-engagement Required'),
	networkRefusal('+12025550126', 131026, 'Invalid Phone Number'),
	networkRefusal('+12025550104', 133004, 'Template Not Found'),
	// Not in the document, but networks of this kind send them.
	networkRefusal('+12025550149', 131049, 'Held back for the sake of the customer'),
	networkRefusal('+12025550150', 131050, 'Customer stopped marketing messages'),
	networkRefusal('+12025550151', 131051, 'Unsupported Message Type'),
];

function refusal(recipient: string, httpStatus: number, code: string, message: string) {
	return { recipient, templateName: `always_${httpStatus}`, httpStatus, code, message };
}

function networkRefusal(recipient: string, code: number, message: string) {
	return { recipient, templateName: `always_${code}`, code, message };
}

export const CUSTOMER = '+12025550110';
/** Accepted, then failed instead of delivered. */
export const FAILS = '+12025550160';
/** Never delivered, as with a phone that is off. */
export const STAYS_SENT = '+12025550161';
/** Delivered, never read. */
export const NEVER_READ = '+12025550162';
/** The message goes out, the connection breaks before the answer. */
export const ANSWER_LOST = '+12025550163';

export const RECIPIENTS: Record<string, string> = {
	[CUSTOMER]: 'reads everything',
	[FAILS]: 'cannot be reached (failed)',
	[STAYS_SENT]: 'is switched off (stays sent)',
	[NEVER_READ]: 'never reads (stays delivered)',
	[ANSWER_LOST]: 'gets it, but the response is lost',
};

/** Writes, but cannot be sent to: networks let customers hide their number behind a username. */
export const WITHOUT_NUMBER = 'asha.k';

/** As the account has had them approved: those of the examples. Any other name can be sent as well. */
export const TEMPLATE_TEXTS: Record<string, string> = {
	message_received: 'Thank you for your message of {{1}}. We answer within {{2}}.',
	form_received: 'Hi {{1}}, thank you for your interest in {{2}}. We will be in touch soon.',
	summer_offer: 'Hi {{1}}, our summer offer is open for you until {{2}}. Your code: {{3}}',
	order_update: 'Hi {{1}}, your order {{2}} arrives on {{3}}.',
	one_time_code: '{{1}} is your code. It is valid for ten minutes.',
	person_answer: 'Our colleague writes: {{1}}',
	person_comes: 'Thank you. {{1}} reads your message and writes to you here.',
	robot_answer: 'Our opening hours: {{1}}. Write PERSON to talk to one of us.',
	workflow_failed: 'Workflow {{1}} failed: {{2}}',
	order_shipped: 'Hi {{1}}, your order {{2}} is on its way.',
	cart_reminder: 'Hi {{1}}, you left {{2}} in your cart. We keep it for you until {{3}}.',
	welcome: 'Hi {{1}}, welcome to our shop. We write to you twice more. Write STOP to end this.',
	welcome_tips: 'Hi {{1}}, three tips for your first order: {{2}}',
	welcome_offer: 'Hi {{1}}, here is a code for your first order: {{2}}',
	appointment_reminder: 'Hi {{1}}, we expect you on {{2}}.',
	offers_changed: 'You get {{1}}. Write {{2}} to change this.',
	customer_without_number:
		'{{1}} wrote {{2}}, but has no phone number. Please change your lists by hand.',
	appointment_question: 'Hi {{1}}, does {{2}} suit you? Please answer yes or no.',
	answer_noted: 'Thank you, {{1}}. We noted: {{2}}',
	assistant_reply: 'Our assistant says: {{1}}',
	delivery_question: 'Hi {{1}}, we have a question about your order: {{2}}',
	agent_question: '{{1}} wants to write to a customer. Please look: {{2}}',
	alarm: '{{1}} has a problem: {{2}}. Please look at it now.',
};
