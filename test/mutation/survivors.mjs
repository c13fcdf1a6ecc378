const TEXT_IN_A_LIST = '[] → ["Stryker was here"]';
const ANOTHER_TEXT = '\'\' → "Stryker was here!"';
const NO_RETURN = '{ return undefined; } → {}';

/**
 * The changes that no test can notice, as `npm run mutate` prints them, by file; each with the reason, those
 * that stand in several places with one for each. A run fails when another one survives, or when one of
 * these no longer does.
 */
export const SURVIVORS = {
	'BusinessMessaging.node.ts': {
		"['output'] → []": 'n8n only looks for the group of triggers',
		'\'output\' → ""': 'n8n only looks for the group of triggers',
	},
	'BusinessMessagingTrigger.node.ts': {
		'\'single\' → ""': 'it is what the other mode is not',
	},
	'actions/fields.ts': {
		"['en'] → []": 'the machine that tests speaks English',
	},
	'actions/sendTemplate/sendTemplate.operation.ts': {
		"choice.category !== 'auto' → false": 'only Auto has a fallback category',
	},
	// n8n shows a field when its condition depends on an expression, and this one only then.
	'actions/sendTemplate/fields.ts': {
		"[{ _cnd: { startsWith: '=' } }] → []": 'nothing else meets either',
		"{ _cnd: { startsWith: '=' } } → {}": 'nothing else meets either',
	},
	'actions/sendTemplate/readParameters.ts': {
		[ANOTHER_TEXT]: 'any text without an expression will do',
		[NO_RETURN]: 'the moment is undefined as well',
	},
	'actions/sendTemplate/readVariables.ts': {
		[TEXT_IN_A_LIST]: 'a text has no name',
		'{ skipValidation: true } → {}': 'n8n gives the same, later',
		'true → false': 'n8n gives the same, later',
	},
	'actions/sendAndWait/fields.ts': {
		'field.displayOptions?.show → field.displayOptions.show': 'each of these fields has conditions',
	},
	'actions/sendAndWait/question.ts': {
		'\'askedRounds\' → ""': 'any name will do',
		'!message.includes(OBJECT) → false': 'there is nothing to replace',
	},
	'run/runItems.ts': {
		[TEXT_IN_A_LIST]: 'waiting for a text takes no time',
	},
	'run/readItems.ts': {
		[ANOTHER_TEXT]: 'any value will do',
	},
	'run/testRecipient.ts': {
		'\'runByHand\' → ""': 'any name will do',
	},
	'run/summary.ts': {
		[TEXT_IN_A_LIST]: 'each of them was sent',
	},
	'actions/retryMemory.ts': {
		'\'unknownOutcomes\' → ""': 'any name will do',
		'\'hex\' → ""': 'any form of a digest will do',
		'\'testMessages\' → ""': 'any name will do',
		[TEXT_IN_A_LIST]: 'it is the shape of nothing',
	},
	'template/variables.ts': {
		[TEXT_IN_A_LIST]: ['a text has no label', 'a text has no label'],
		'Number(key) > position → Number(key) >= position': 'the key that is asked for is not there',
	},
	'template/pricing.ts': {
		'amount < 10 → amount <= 10': '10 has no decimals',
	},
	'transport/client.ts': {
		'\'unanswered\' → ""': 'it is what no other end is',
	},
	'transport/httpRequest.ts': {
		[TEXT_IN_A_LIST]: 'the key has no such way of writing',
		'text === body → false': 'the answer is the same; the condition only saves the work',
	},
	'transport/rateLimiter.ts': {
		'now <= nextLateAt → now < nextLateAt': 'at that very moment nobody is late',
	},
	'transport/pacer.ts': {
		'remaining === undefined → false':
			'the window has ended then, so no time is left until its reset',
		'remaining !== undefined → true': 'what is not told proves nothing',
		'used() > allowance → used() >= allowance': 'it is as much already',
		'asked !== undefined → true': 'what is not told is not less than anything',
	},
	'transport/credential.ts': {
		'address !== undefined → true': 'as a text it is a relative address',
		'[url, uri, baseURL].filter((address) => address !== undefined) → [url, uri, baseURL]':
			'as a text it is a relative address',
		'/^\\[|\\]$/g → /\\[|\\]$/g': 'a host has brackets only around it',
		'/^\\[|\\]$/g → /^\\[|\\]/g': 'a host has brackets only around it',
	},
	'transport/credentialTest.ts': {
		'\'status\' → ""': 'a request without an answer is only in doubt when it sends',
		[ANOTHER_TEXT]: ['no other text is a sign', 'no other text is a sign'],
	},
	'errors/networkErrors.ts': {
		[ANOTHER_TEXT]: 'no other text is a code',
		[TEXT_IN_A_LIST]: ['there is nothing in it to find', 'there is nothing in it to find'],
	},
	'errors/nodeErrors.ts': {
		'{ message } → {}': 'n8n takes the message from the options',
	},
	'events/catalogue.ts': {
		'\'envelope\' → ""': 'it is what no other identity is',
	},
	'events/event.ts': {
		[NO_RETURN]: ['the answer is undefined as well', 'the number is undefined as well'],
	},
	'events/access.ts': {
		[TEXT_IN_A_LIST]: 'the problem is told first',
	},
	'events/duplicates.ts': {
		'\'first\' → ""': ['it is what no other arrival is', 'it is what no other arrival is'],
		'() => false → () => undefined': 'neither says that the time is over',
	},
};
