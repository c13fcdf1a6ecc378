import { SetupProblem } from '../../setupProblem.mts';
import type { ReceivedAnswer } from '../contract.mts';
import { REFUSALS } from '../wellKnown.mts';
import { resetOf } from './reset.mts';

/** The API to be checked, and what it may be asked. */
export interface Target {
	/** Without a slash at the end. */
	url: string;
	key: string;
	/** Another key of the same account. */
	otherKey?: string;
	/** Gets one message, which costs. Without it nothing but look-ups is asked for. */
	to?: string;
	template: string;
	variables?: Record<string, string>;
	category: string;
	/** Use up the limit of one window. */
	exhaust: boolean;
}

export interface Exchange extends ReceivedAnswer {
	key: string;
	/** Epoch ms. */
	receivedAt: number;
	/** The text of the answer. */
	text: string;
}

/** What the API was seen to do. */
export interface Observations {
	target: Target;
	/** All of them in order. */
	all: Exchange[];
	/** Of messages that do not exist. */
	lookUps: Exchange[];
	wrongKey: Exchange;
	/** With the other key; an own look-up comes right before it and right after it. */
	otherKey?: Exchange;
	/** Of a body without fields, and of a template that does not exist. */
	invalid?: Exchange;
	unknownTemplate?: Exchange;
	sent?: Exchange;
	lookedUp?: Exchange;
	/** After the reset; undefined where the reset cannot be waited for. */
	nextWindow?: Exchange;
	/** The last answer of as many requests as pass. */
	exhausted?: Exchange;
}

const SEND = '/api/integrations/messages/send';
const STATUS = '/api/integrations/messages/status/';
const UNKNOWN_MESSAGE = 'n8n-api-check';
const UNKNOWN_TEMPLATE = `${REFUSALS.find(({ code }) => code === 133004)?.templateName}`;
const TIMEOUT_MS = 30_000;
export const LONGEST_RESET_MS = 65_000;
/** Resets in whole seconds, and the time that the first requests took. */
const AFTER_RESET_MS = 1500;
/** Enough to be sure that there is no limit of 60. */
const MOST_REQUESTS = 130;

/** As web frameworks put it. */
const NO_SUCH_ADDRESS = /\bcannot get\b|\broute\b|\bno static resource\b/i;

/** What was entered wrong, so that nothing can be said of the API; undefined if it was nothing. */
function wrongInput({ status, text, body }: Exchange): string | undefined {
	const isOfTheApi = typeof body === 'object' && body !== null && !NO_SUCH_ADDRESS.test(text);
	if (status === 401) {
		return 'rejects the key: compare --key with Settings → API Keys of the dashboard.';
	}
	if (status === 403 && isOfTheApi) {
		return 'says that the plan has no API access: take a key of an account on Scale or Enterprise.';
	}
	if (isOfTheApi || status === 429 || status >= 500) return undefined;
	return "answers, but not as the API: compare --url with your provider's API documentation.";
}

/** Asks the API. @throws when it cannot be reached, or when the target is wrong */
export async function observe(
	target: Target,
	sleep: (ms: number, why: string) => Promise<void>,
): Promise<Observations> {
	const all: Exchange[] = [];

	async function ask(method: string, path: string, key: string, body?: object): Promise<Exchange> {
		const response = await fetch(target.url + path, {
			method,
			headers: {
				accept: 'application/json',
				'x-api-key': key,
				...(body && { 'content-type': 'application/json' }),
			},
			body: body && JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const text = await response.text();
		const exchange: Exchange = {
			method,
			path,
			key,
			text,
			body: parsed(text),
			status: response.status,
			headers: Object.fromEntries(response.headers),
			receivedAt: Date.now(),
		};
		all.push(exchange);
		return exchange;
	}

	const { key, to, template, variables, category } = target;
	const lookUp = async (id = UNKNOWN_MESSAGE, as = key) => await ask('GET', STATUS + id, as);
	const send = async (body: object) => await ask('POST', SEND, key, body);

	const first = await lookUp();
	const problem = wrongInput(first);
	if (problem) throw new SetupProblem(`${target.url} (HTTP ${first.status}) ${problem}`);
	const lookUps = [first, await lookUp(), await lookUp()];
	const wrongKey = await lookUp(UNKNOWN_MESSAGE, 'no-key-of-any-account');
	const seen: Observations = { target, all, lookUps, wrongKey };
	if (target.otherKey) {
		lookUps.push(await lookUp());
		seen.otherKey = await lookUp(UNKNOWN_MESSAGE, target.otherKey);
		lookUps.push(await lookUp());
	}
	if (to) {
		const message = { to, type: 'template', category };
		seen.invalid = await send({});
		seen.unknownTemplate = await send({ ...message, templateName: UNKNOWN_TEMPLATE });
		seen.sent = await send({ ...message, templateName: template, templateVariables: variables });
		const id = messageIdOf(seen.sent);
		if (id) seen.lookedUp = await lookUp(encodeURIComponent(id));
	}
	const reset = resetOf(all[all.length - 1]);
	if (reset && reset.inMs >= 0 && reset.inMs <= LONGEST_RESET_MS) {
		await sleep(reset.inMs + AFTER_RESET_MS, 'the next window');
		seen.nextWindow = await lookUp();
	}
	for (let count = 0; target.exhaust && count < MOST_REQUESTS; count += 1) {
		seen.exhausted = await lookUp();
		if (seen.exhausted.status === 429) break;
	}
	return seen;
}

export function messageIdOf({ status, body }: Exchange): string | undefined {
	const id = (body as { data?: { message_id?: unknown } } | null)?.data?.message_id;
	return status === 200 && typeof id === 'string' ? id : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
