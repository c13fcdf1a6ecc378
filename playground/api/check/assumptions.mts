import { answerViolations } from '../contract.mts';
import { PRICES, type Category } from '../price.mts';
import { LONGEST_RESET_MS, messageIdOf, type Exchange, type Observations } from './observe.mts';
import { remainingOf, resetOf } from './reset.mts';

export interface Assumption {
	/** What the nodes rely on, and the API document leaves open or nobody has seen yet. */
	says: string;
	/** Which file holds it, in nodes/BusinessMessaging. */
	file: string;
	/** What speaks against it, none if it holds; undefined if what was seen cannot show it. */
	against: (seen: Observations) => string[] | undefined;
	/** The option without which it cannot be seen. */
	needs?: '--to' | '--other-key' | '--exhaust';
}

/** Where the nodes look for the words of an error. */
export const TEXT_KEYS = ['message', 'details', 'detail', 'error', 'errors'];

const LIMIT = 60;
const OTHERS = 'unless others use this account now';

export const ASSUMPTIONS: Assumption[] = [
	{
		says: 'A message that does not exist is answered with 404 and a JSON object.',
		file: 'transport/credentialTest.ts',
		against: ({ lookUps }) =>
			lookUps.filter(({ status, body }) => status !== 404 || !isObject(body)).map(told),
	},
	{
		says: 'A key that does not exist is answered with 401.',
		file: 'errors/responseErrors.ts',
		against: ({ wrongKey }) => (wrongKey.status === 401 ? [] : [told(wrongKey)]),
	},
	{
		says: 'Statuses and bodies are as playground/api/openapi.json describes them.',
		file: 'api.ts',
		against: ({ all }) =>
			all.flatMap((each) =>
				answerViolations(each)
					.filter((violation) => !/^X-RateLimit/.test(violation))
					.map((violation) => `${each.method}, ${each.status}: ${violation}`),
			),
	},
	{
		says: 'Every response has both rate-limit headers.',
		file: 'transport/rateLimitHeaders.ts',
		against: ({ all }) =>
			all.flatMap(({ headers, method, status }) =>
				['x-ratelimit-remaining', 'x-ratelimit-reset']
					.filter((name) => headers[name] === undefined)
					.map((name) => `${method}, ${status}: ${name} is missing`),
			),
	},
	{
		says: 'The reset is at most 65 s ahead, in epoch milliseconds or seconds, in seconds from now, or a date.',
		file: 'transport/rateLimitHeaders.ts',
		against: ({ all }) => {
			const told = all.filter(({ headers }) => headers['x-ratelimit-reset'] !== undefined);
			if (told.length === 0) return undefined;
			return told.flatMap((each) => {
				const { inMs = NaN } = resetOf(each) ?? {};
				const isFit = inMs >= -1000 && inMs <= LONGEST_RESET_MS;
				return isFit ? [] : [`x-ratelimit-reset is ${String(each.headers['x-ratelimit-reset'])}`];
			});
		},
	},
	{
		says: 'Each request counts as one, sends and look-ups alike.',
		file: 'transport/pacer.ts',
		against: (seen) => {
			const falls = fallsOf(seen);
			if (falls.length === 0) return undefined;
			return falls
				.filter(({ fall }) => fall !== 1)
				.map(({ fall, by }) => `${by.method}, ${by.status}: counted as ${fall}, ${OTHERS}`);
		},
	},
	{
		says: `${LIMIT} requests pass in one window.`,
		file: 'actions/fields.ts',
		against: ({ all, target }) => {
			const left = all.filter(({ key }) => key === target.key).map(remainingOf);
			const most = Math.max(...left.filter((count) => count !== undefined));
			if (!Number.isFinite(most)) return undefined;
			return most + 1 === LIMIT ? [] : [`it is ${most + 1}, ${OTHERS}`];
		},
	},
	{
		says: 'When the time of the reset has come, there is room again.',
		file: 'transport/pacer.ts',
		against: ({ all, nextWindow }) => {
			const before = nextWindow && remainingOf(all[all.indexOf(nextWindow) - 1]);
			const after = nextWindow && remainingOf(nextWindow);
			if (before === undefined || after === undefined) return undefined;
			return after >= before ? [] : [`${before} left before it, ${after} after it, ${OTHERS}`];
		},
	},
	{
		says: `The words of an error are in its body, as text or below one of ${TEXT_KEYS.join(', ')}.`,
		file: 'errors/responseErrors.ts',
		against: ({ all }) =>
			all.filter(({ status, body }) => status >= 400 && !hasWords(body)).map(told),
	},
	{
		says: 'A limit counts per key, or the headers show what the other keys of the account take.',
		file: 'transport/rateLimiter.ts',
		needs: '--other-key',
		against: (seen) => {
			const taken = takenByOtherKey(seen);
			if (taken === undefined) return undefined;
			return taken === 0 || taken === 1 ? [] : [`it took ${taken}, ${OTHERS}`];
		},
	},
	{
		says: 'A send without its fields is answered with 400.',
		file: 'errors/responseErrors.ts',
		needs: '--to',
		against: ({ invalid }) => invalid && (invalid.status === 400 ? [] : [told(invalid)]),
	},
	{
		says: 'A template that does not exist is answered with a status from 400 to 499 and the code 133004.',
		file: 'errors/responseErrors.ts',
		needs: '--to',
		against: ({ unknownTemplate: answer }) => {
			if (!answer) return undefined;
			const isRefused = answer.status >= 400 && answer.status <= 499;
			return isRefused && /(?<!\d)133004(?!\d)/.test(answer.text) ? [] : [told(answer)];
		},
	},
	{
		says: 'A message that is accepted is answered with 200, its ID and the number as it was sent.',
		file: 'api.ts',
		needs: '--to',
		against: ({ sent, target }) => {
			if (!sent) return undefined;
			if (messageIdOf(sent) && dataOf(sent).to === target.to) return [];
			const advice =
				sent.status === 200 ? '' : ' Is the template approved? Choose it by --template.';
			return [told(sent) + advice];
		},
	},
	{
		says: "A message costs what the document's price list says.",
		file: 'template/pricing.ts',
		needs: '--to',
		against: ({ sent }) => {
			if (!sent || !messageIdOf(sent)) return undefined;
			const { amount, pricing_category } = (dataOf(sent).cost ?? {}) as Record<string, unknown>;
			const price = PRICES[pricing_category as Category];
			return amount === price
				? []
				: [`${String(pricing_category)} costs ${String(amount)}, not ${price}`];
		},
	},
	{
		says: 'A message can be looked up as soon as it is sent.',
		file: 'transport/pollStatus.ts',
		needs: '--to',
		against: ({ lookedUp }) => lookedUp && (lookedUp.status === 200 ? [] : [told(lookedUp)]),
	},
	{
		says: 'Above the limit the answer is 429, with nothing left.',
		file: 'transport/rateLimitHeaders.ts',
		needs: '--exhaust',
		against: ({ exhausted }) => {
			if (!exhausted) return undefined;
			const { status } = exhausted;
			return status === 429 && !remainingOf(exhausted)
				? []
				: [`${status}, ${remainingOf(exhausted)} left`];
		},
	},
];

/** What the document leaves open, and the nodes take either way. */
export function findings(seen: Observations): string[] {
	const { lookUps, wrongKey, invalid, unknownTemplate } = seen;
	const { unit } = resetOf(lookUps[0]) ?? {};
	const taken = takenByOtherKey(seen);
	return [
		...(unit ? [`The reset is given as ${unit}.`] : []),
		...(taken === undefined ? [] : [`The limit counts per ${taken === 0 ? 'key' : 'account'}.`]),
		...[lookUps[0], wrongKey, invalid, unknownTemplate].flatMap((each) =>
			each ? [told(each)] : [],
		),
	];
}

function told({ method, status, text }: Exchange): string {
	return `${method}, ${status}: ${text.replace(/\s+/g, ' ').slice(0, 200) || '(no body)'}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function dataOf({ body }: Exchange): Record<string, unknown> {
	return isObject(body) && isObject(body.data) ? body.data : {};
}

function hasWords(body: unknown): boolean {
	if (typeof body === 'string') return body.trim() !== '' && !/^\s*</.test(body);
	if (Array.isArray(body)) return body.some(hasWords);
	if (!isObject(body)) return false;
	const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
	return (
		TEXT_KEYS.some((key) => [body[key]].flat().some(isText)) ||
		Object.values(body).some((value) => typeof value === 'object' && hasWords(value))
	);
}

const SAME_WINDOW_MS = 1000;

/** By how much the requests left fell with each own request that followed another in the same window. */
function fallsOf({ all, target, otherKey }: Observations) {
	return all.flatMap((by, index) => {
		// Other keys are another question, and a refused request does not count.
		const earlier = all.slice(0, index).findLast(({ key }) => key === target.key);
		const [before, after] = [earlier && remainingOf(earlier), remainingOf(by)];
		const isNext = by.key === target.key && by.status !== 429 && all[index - 1] !== otherKey;
		if (!isNext || !earlier || before === undefined || after === undefined) return [];
		const [start, end] = [resetOf(earlier), resetOf(by)];
		const endsAt = (at: number, inMs = NaN) => at + inMs;
		const moved = endsAt(by.receivedAt, end?.inMs) - endsAt(earlier.receivedAt, start?.inMs);
		return Math.abs(moved) <= SAME_WINDOW_MS && after <= before
			? [{ fall: before - after, by }]
			: [];
	});
}

/** How many of the own key's requests a request with the other key took. */
function takenByOtherKey({ all, otherKey }: Observations): number | undefined {
	if (!otherKey) return undefined;
	const index = all.indexOf(otherKey);
	const [before, after] = [remainingOf(all[index - 1]), remainingOf(all[index + 1])];
	if (before === undefined || after === undefined || after > before) return undefined;
	return before - after - 1;
}
