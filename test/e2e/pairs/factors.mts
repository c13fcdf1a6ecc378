import { MORE } from './rows.mts';

/** Gets the messages of manual runs. */
export const TEST_RECIPIENT = '+12025550199';
/** INR. Enough for each message as utility, and too little for marketing. */
export const TIGHT_PER_ITEM = 0.12;

/** Open for two hours more, but not for the rows of the night. */
function sendBetween(zone: string, more: object) {
	const time = (ofNight: number, ofDay: number) =>
		`={{ $now.setZone('${zone}').plus({ hours: $json.isNight ? ${ofNight} : ${ofDay} }).toFormat('HH:mm') }}`;
	return {
		hours: { from: time(2, -2), until: time(4, 2), ...more },
	};
}

function cap(messages: number, more: object) {
	return { cap: { messages, period: 1, unit: 'days', ...more } };
}

/** A new option is a line here. `undefined`: it is not added. The first value is the usual one. */
export const OPTIONS = {
	budget: [undefined, { budget: { amount: 1000, period: 'day' } }],
	concurrency: [undefined, 1, 3],
	defaultCountry: [undefined, 'US'],
	doNotSendTo: [
		undefined,
		"={{ $('Rows').all().filter((row) => row.json.isOut).map((row) => row.json.phone.replace('+1', '001 ')) }}",
	],
	dryRun: [undefined, '={{ Boolean($json.isDry) }}'],
	frequencyCap: [undefined, cap(1, {}), cap(2, { period: 90, unit: 'minutes', name: 'shared' })],
	includeInputFields: [undefined, true],
	keepWhitespace: [undefined, true],
	rawResponse: [undefined, true],
	requestsPerMinute: [0, 600],
	sendBetween: [
		undefined,
		sendBetween('America/New_York', { timeZone: 'recipient' }),
		sendBetween('UTC', { timeZone: 'other', otherTimeZone: 'UTC' }),
	],
	sendOnceKey: [undefined, '={{ $json.key }}'],
	sendOnlyTo: [
		undefined,
		{ only: { who: 'list', numbers: "={{ $('Rows').all().map((row) => row.json.phone) }}" } },
	],
	sendUntil: [
		undefined,
		{ time: { end: 'minutes', minutes: 60 } },
		{
			time: {
				end: 'dateTime',
				dateTime: '={{ $now.plus({ hours: $json.isLate ? -1 : 1 }).toISO() }}',
			},
		},
	],
	spendingLimit: [undefined, 100, `={{ ${TIGHT_PER_ITEM} * $input.all().length }}`],
	testMessages: [undefined, 5],
	testRecipient: [undefined, TEST_RECIPIENT],
	timeout: [undefined, 5],
	waitFor: [undefined, 'delivered', 'read'],
	waitTimeout: [1, 2],
};

/** What else decides what a run does. */
const OTHERS = {
	more: Object.keys(MORE) as Array<keyof typeof MORE>,
	begins: ['inProduction', 'byHand'],
	onError: ['continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'] as const,
	retryOnFail: [false, true],
	/** How Retry is pressed if the execution failed. */
	retry: ['withOriginalWorkflow', 'withSavedWorkflow'],
	/** How the API answers the first requests: with 0 not at all. */
	failsFirst: [[], [400], [0], [429, 400]],
	/** With the fallback category of Auto. */
	category: ['utility', 'marketing', 'authentication', 'auto utility', 'auto marketing'],
	variablesInput: ['templateText', 'json'],
};

export const FACTORS = { ...OTHERS, ...OPTIONS };

/** One value of each factor. */
export type Chosen = { [Name in keyof typeof FACTORS]: (typeof FACTORS)[Name][number] };
