const TEXT_IN_A_LIST = '[] → ["Stryker was here"]';
const ANOTHER_TEXT = '\'\' → "Stryker was here!"';
const NO_RETURN = '{ return undefined; } → {}';

/**
 * The changes that no test can notice, as `npm run mutate` prints them, by file; each with the reason, those
 * that stand in several places with one for each. A run fails when another one survives, or when one of
 * these no longer does.
 */
export const SURVIVORS = {
	'actions/sentBefore/sentContents.ts': {
		'\'unknownOutcomes\' → ""': 'any name will do',
		'\'hex\' → ""': 'any form of a digest will do',
	},
	'actions/sentBefore/sentItems.ts': {
		'\'testMessages\' → ""': 'any name will do',
		[TEXT_IN_A_LIST]: 'it is the shape of nothing',
	},
	'BusinessMessaging.node.ts': {
		"['output'] → []": 'n8n only looks for the group of triggers',
		'\'output\' → ""': 'n8n only looks for the group of triggers',
	},
	'BusinessMessagingTrigger.node.ts': { '\'single\' → ""': 'it is what the other mode is not' },
	'actions/fields.ts': { "['en'] → []": 'the machine that tests speaks English' },
	'actions/run/nameField.ts': { [ANOTHER_TEXT]: 'any value will do' },
	'actions/run/runByHand.ts': { '\'runByHand\' → ""': 'any name will do' },
	'actions/run/summary.ts': { [TEXT_IN_A_LIST]: 'each of them was sent' },
	'actions/run/runItems.ts': { [TEXT_IN_A_LIST]: 'waiting for a text takes no time' },
	'events/catalogue.ts': { '\'envelope\' → ""': 'it is what no other identity is' },
	'events/delivery.ts': { [NO_RETURN]: 'the answer is undefined as well' },
	'actions/sendAndWait/asked.ts': { '\'askedRounds\' → ""': 'any name will do' },
	'actions/sendAndWait/fields.ts': {
		'field.displayOptions?.show → field.displayOptions.show': 'each of these fields has conditions',
	},
	'actions/sendAndWait/humanReview.ts': {
		'!message.includes(OBJECT) → false': 'there is nothing to replace',
	},
	'events/duplicates/arrivals.ts': {
		'() => false → () => undefined': 'neither says that the time is over',
	},
	'events/phone.ts': { [NO_RETURN]: 'the number is undefined as well' },
	// n8n shows a field when its condition depends on an expression, and this one only then.
	'actions/sendTemplate/fields.ts': {
		"[{ _cnd: { startsWith: '=' } }] → []": 'nothing else meets either',
		"{ _cnd: { startsWith: '=' } } → {}": 'nothing else meets either',
	},
	'actions/sendTemplate/fallback.ts': {
		"choice.category !== 'auto' → false": 'only Auto has a fallback category',
	},
	'actions/sendTemplate/job.ts': { [ANOTHER_TEXT]: 'any text without an expression will do' },
	'actions/sendTemplate/variables.ts': {
		[TEXT_IN_A_LIST]: 'a text has no name',
		'{ skipValidation: true } → {}': 'n8n gives the same, later',
		'true → false': 'n8n gives the same, later',
	},
	'actions/sendTemplate/moment.ts': { [NO_RETURN]: 'the moment is undefined as well' },
	'template/price.ts': { 'amount < 10 → amount <= 10': '10 has no decimals' },
	'template/variables.ts': {
		[TEXT_IN_A_LIST]: ['a text has no label', 'a text has no label'],
		'Number(key) > position → Number(key) >= position': 'the key that is asked for is not there',
	},
	'transport/credential/credentialTest.ts': {
		'\'status\' → ""': 'a request without an answer is only in doubt when it sends',
	},
	'transport/credential/destination.ts': {
		'address !== undefined → true': 'as a text it is a relative address',
		'[url, uri, baseURL].filter((address) => address !== undefined) → [url, uri, baseURL]':
			'as a text it is a relative address',
	},
	'transport/credential/keyProof.ts': {
		[ANOTHER_TEXT]: ['no other text is a sign', 'no other text is a sign'],
	},
	'errors/nodeError.ts': { '{ message } → {}': 'n8n takes the message from the options' },
	'errors/faults.ts': {
		[ANOTHER_TEXT]: 'no other text is a code',
		[TEXT_IN_A_LIST]: ['there is nothing in it to find', 'there is nothing in it to find'],
	},
	'transport/client.ts': {
		'\'unanswered\' → ""': 'it is what no other end is',
	},
	'transport/keyCutter.ts': { [TEXT_IN_A_LIST]: 'the key has no such way of writing' },
	'transport/pacing/pacer.ts': {
		'remaining === undefined → false':
			'the window has ended then, so no time is left until its reset',
		'remaining !== undefined → true': 'what is not told proves nothing',
		'used() > allowance → used() >= allowance': 'it is as much already',
		'asked !== undefined → true': 'what is not told is not less than anything',
	},
	'transport/pacing/turns.ts': {
		'now <= nextLateAt → now < nextLateAt': 'at that very moment nobody is late',
	},
	'transport/privateHost.ts': {
		'/^\\[|\\]$/g → /\\[|\\]$/g': 'a host has brackets only around it',
		'/^\\[|\\]$/g → /^\\[|\\]/g': 'a host has brackets only around it',
	},
	'transport/request.ts': {
		'text === body → false': 'the answer is the same; the condition only saves the work',
	},
};
