import fc from 'fast-check';
import type { IContextObject } from 'n8n-workflow';

import type { RunContext } from '../../../../nodes/BusinessMessaging/actions/job';
import { Spending } from '../../../../nodes/BusinessMessaging/actions/options/spendingLimit';
import { messageIn } from '../../../../nodes/BusinessMessaging/actions/output';
import { RetryMemory } from '../../../../nodes/BusinessMessaging/actions/retryMemory';
import { jobOf } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { SendJob } from '../../../../nodes/BusinessMessaging/actions/sendTemplate/sending';
import type { Category, SendRequest } from '../../../../nodes/BusinessMessaging/api';
import { FrequencyCap } from '../../../../nodes/BusinessMessaging/memory/frequencyCap';
import type { Ledger } from '../../../../nodes/BusinessMessaging/memory/ledger';
import { PeriodBudget } from '../../../../nodes/BusinessMessaging/memory/periodBudget';
import { openRows } from '../../../../nodes/BusinessMessaging/memory/rows';
import { SendOnce } from '../../../../nodes/BusinessMessaging/memory/sendOnce';
import type { Outcome } from '../../../../nodes/BusinessMessaging/outcome';
import type { ApiRequest } from '../../../../nodes/BusinessMessaging/transport/httpRequest';
import { contextOn, ProcessedData } from '../../../support/processedData.mts';
import { sample } from '../../../support/sample.mts';
import { clientWith } from '../../../support/scriptedClient.mts';
import {
	type Attempt,
	isHeld,
	isLost,
	LedgerApi,
	mayHaveArrived,
	type Message,
	PRICES,
} from '../../../support/simulation/ledgerApi.mts';
import { seededRandom } from '../../../support/simulation/random.mts';
import {
	anyScenario,
	AUTO_WITH_KEY,
	HOUR_MS,
	MINUTE_MS,
	type Scenario,
} from '../../../support/simulation/sendScenario.mts';
import { createVirtualClock } from '../../../support/virtualClock.mts';

/** Ten seconds before noon. */
const START = Date.UTC(2026, 0, 31, 11, 59, 50);
const NUMBERS = ['+14155552671', '+14155552672'];
const REACHED = { delivered: ['delivered', 'read'], read: ['read'] };

/** @returns the promises that were broken */
async function play(scenario: Scenario): Promise<string[]> {
	const { limit, second, fallbackCategory } = scenario;
	const clock = createVirtualClock(START);
	const { context } = contextOn(
		new ProcessedData(async () => {
			if (scenario.databaseMs > 0) await clock.sleep(scenario.databaseMs);
		}),
	);
	const rows = async () => await openRows(context, clock);
	const messages: Message[] = [];
	const broken = new Set<string>();
	const windowEnds = START + scenario.windowEndsInMs;

	const must = (holds: boolean, promise: string) => {
		if (!holds) broken.add(promise);
	};

	/** Whether another message was on its way during the attempt. */
	const hasRival = ({ message, startedAt }: Attempt, isMeant: (job: SendJob) => boolean) =>
		messages.some(
			(other) =>
				other !== message && isMeant(other.job) && (other.isActive || other.endedAt >= startedAt),
		);

	function isInHours({ sendBetween }: SendJob, category: Category, at = clock.now()): boolean {
		if (!sendBetween || category === 'service') return true;
		const minute = (at / MINUTE_MS) % (24 * 60);
		return minute >= sendBetween.from && minute < sendBetween.until;
	}

	const isOver = ({ sendUntil = Infinity }: SendJob) => clock.now() > sendUntil;

	function checkRequest(api: LedgerApi, attempt: Attempt, category: Category): void {
		const { message, isDryRun, signal } = attempt;
		const { job, execution } = message;
		const { category: chosen } = job.categoryChoice;
		const own = api.of(message);
		const isFallback = api.needsFallback(attempt);
		const byWindow = clock.now() < windowEnds ? 'service' : fallbackCategory;
		const first = chosen === 'auto' ? byWindow : chosen;
		must(!isDryRun, 'A dry run makes no request.');
		must(!signal.aborted, 'A run that was stopped begins no request.');
		must(own.every(isLost), 'A message goes out again only if it was certainly not delivered.');
		must(
			own.length === 0 || (own.length === 1 && isFallback),
			'What was not delivered goes out again only as the fallback of a service message, and once.',
		);
		must(
			api.withKey(message).every(isLost),
			'One message goes out to a recipient for each Send Once Key.',
		);
		must(
			api.inCap(message).every(isLost),
			'One message goes to a number within the period of the cap.',
		);
		must(isInHours(job, category), 'No message goes out outside of the hours.');
		must(!job.isOptedOut, 'No message goes out to a number in the list.');
		must(!isOver(job), 'No message goes out after its time.');
		must(
			api.spentBy(execution) + PRICES[category] <= limit + 1e-9,
			'All attempts of an execution together keep the spending limit.',
		);
		must(
			category === (isFallback ? fallbackCategory : first),
			'Auto sends in the service category within the window, else in the fallback category.',
		);
	}

	/** @param isLast not only what the item has so far, while its delivery is awaited */
	function checkOutcome(api: LedgerApi, attempt: Attempt, outcome: Outcome, isLast: boolean): void {
		const { message, isDryRun, startedAt, signal } = attempt;
		const { job, execution } = message;
		const { kind } = outcome;
		/** In a dry run: what would be. */
		const skipped =
			kind === 'shownAsSkipped' ? outcome.skipped : kind === 'skipped' ? outcome : undefined;
		const isShown = kind === 'shown' || kind === 'shownAsSkipped';
		const own = api.of(message);
		const open = own.filter(mayHaveArrived);
		const isUnknown = kind === 'failed' && outcome.failure.outcome === 'unknown';
		const isKeyOpen =
			api.withKey(message).some((entry) => mayHaveArrived(entry) && entry.message !== message) ||
			hasRival(attempt, ({ sendOnceKey: key }) => key !== undefined && key === job.sendOnceKey);

		const isBefore = kind === 'sentBefore';
		must(
			isDryRun ? isShown || kind === 'failed' : !isShown,
			'A dry run shows, and only a dry run.',
		);
		must(clock.now() - startedAt < HOUR_MS, 'No item hangs.');
		if (!isDryRun) {
			must(
				open.every(({ isAccepted }) => (isAccepted ? kind === 'sent' : isUnknown)),
				'What may have arrived is put out as sent if it was accepted, else as unknown.',
			);
			must(
				!isUnknown || open.length > 0 || isKeyOpen,
				'An outcome is unknown only if a response was unclear, or another message has the key.',
			);
			must(
				kind !== 'failed' ||
					(outcome.message !== undefined) === own.some((e) => e.isAccepted && isLost(e)),
				'A failure has the message that was accepted and not delivered.',
			);
		}
		const json = kind === 'sent' ? outcome.json : kind === 'failed' ? outcome.message : undefined;
		const others = api.ledger.filter(
			(entry) =>
				(isDryRun || entry.message !== message) &&
				(isHeld(entry) || Number(entry.failedAt) >= startedAt),
		);
		if (isBefore) {
			must(
				api.withKey(message).some((entry) => entry.isAccepted && others.includes(entry)),
				'Sent before: another message with the key was accepted.',
			);
		} else if (json) {
			const { delivery, ...output } = json;
			const text = JSON.stringify(output);
			const entry = own.find(({ id }) => id === messageIn(json).message_id);
			must(entry?.isAccepted === true, 'A message that is put out was accepted.');
			must(
				entry !== undefined && isLost(entry) === (kind === 'failed'),
				'What is put out as sent is not known to have failed, and what failed is.',
			);
			must('fallbackUsed' in output === entry?.isFallback, 'fallbackUsed marks fallbacks only.');
			must(
				(message.outputs.get(entry?.id ?? '') ?? text) === text,
				'A retry puts out what was sent as before, except for its delivery.',
			);
			message.outputs.set(entry?.id ?? '', text);
			if (kind === 'sent' && job.wait && isLast) {
				const { timedOut, status = '' } = Object(delivery) as Record<string, string | boolean>;
				const isReached = REACHED[job.wait.awaited].includes(String(status));
				must(
					status === entry?.status && timedOut === !isReached,
					'The delivery is what the API has told last.',
				);
			}
		}
		if (skipped) {
			const { reason, until = Infinity } = skipped;
			if (reason === 'quietHours') {
				must(
					!isInHours(job, 'marketing') && until > clock.now() && isInHours(job, 'marketing', until),
					'Skipped because of the hours: it is outside of them, and they begin then.',
				);
			} else if (reason === 'optedOut') {
				must(job.isOptedOut === true, 'Skipped because of the list: the number is in it.');
			} else if (reason === 'sentBefore') {
				const isTwin = (other: Message) =>
					other !== message && other.job.sendOnceKey === job.sendOnceKey;
				must(
					isDryRun &&
						(api.withKey(message).some((entry) => entry.isAccepted && others.includes(entry)) ||
							messages.some((other) => isTwin(other) && other.execution === execution)),
					'A dry run skips what was sent before, or what another one of its messages has the key of.',
				);
			} else if (reason === 'tooLate') {
				must(
					isOver(job) ||
						(job.sendUntil !== undefined &&
							(scenario.requestsPerMinute > 0 || attempt.run.wasRateLimited)),
					'Skipped as too late: its time is over, or no slot comes before.',
				);
			} else {
				must(
					api.inCap(message, 'up').some((entry) => others.includes(entry)) ||
						hasRival(attempt, ({ cap }) => cap !== undefined && cap.number === job.cap?.number),
					'Skipped because of the frequency cap: another message may have gone to the number.',
				);
				must(until > startedAt, 'Skipped because of the frequency cap: it ends later.');
			}
		}
		if (isLast && !isDryRun && !signal.aborted && kind !== 'skipped' && !isBefore) {
			const isFallback = api.needsFallback(attempt);
			const isLeft = own.length === 0 || (own.length === 1 && isFallback && open.length === 0);
			const { category } = job.categoryChoice;
			const isTaken =
				(own.some(isHeld) && (job.sendOnceKey ?? job.cap) !== undefined) ||
				api.inCap(message, 'up').some((entry) => entry.message !== message && isHeld(entry));
			const price = PRICES[category === 'auto' ? fallbackCategory : category];
			// Each may have its price reserved.
			const active = messages.filter((each) => each.execution === execution && each.isActive);
			must(
				!isLeft ||
					(isFallback ? attempt.fallbacks : attempt.requests) > 0 ||
					api.spentBy(execution) + price * active.length > limit ||
					isKeyOpen ||
					isTaken ||
					attempt.run.wasRateLimited ||
					(kind === 'failed' && /left no time/.test(outcome.failure.message)),
				'No message is forgotten, and no fallback: it is requested, or the outcome says why not.',
			);
		}
	}

	const slowLedger = (ms: number) => {
		const withClaim = async (_: unknown, send: () => Promise<Outcome>) => {
			await clock.sleep(ms);
			return await send();
		};
		const others = { messageOf: () => ({}), tell: () => undefined, free: async () => undefined };
		return { withClaim, ...others } as unknown as Ledger;
	};

	/** One attempt of an execution, whose items have these messages. */
	async function attemptAll(
		api: LedgerApi,
		store: IContextObject,
		items: Message[],
		{ stopsAfterMs, isDryRun = false }: Partial<Scenario['attempts'][number]> = {},
	): Promise<Outcome[]> {
		const stopping = new AbortController();
		const { signal } = stopping;
		if (stopsAfterMs !== undefined) void clock.sleep(stopsAfterMs).then(() => stopping.abort());
		const attempts = new Map<string, Attempt>();
		const attemptOf = (templateName: string) => {
			const attempt = attempts.get(templateName);
			if (!attempt) throw new Error('The request is for none of the items.');
			return attempt;
		};
		const httpRequest = async ({ method, url, body, timeoutMs }: ApiRequest) => {
			if (method === 'GET') {
				const entry = api.ledger.find(({ id, isAccepted }) => isAccepted && url.endsWith(`/${id}`));
				if (!entry) throw new Error('Only messages that were accepted are looked up.');
				const { templateName } = entry.message.job.message;
				return await api.lookUp(entry, attemptOf(templateName), timeoutMs);
			}
			const request = body as SendRequest;
			const attempt = attemptOf(request.templateName);
			checkRequest(api, attempt, request.category);
			return await api.send(attempt, request, timeoutMs);
		};
		const retryMemory = new RetryMemory(store, 0);
		for (const [itemIndex, { job }] of items.entries()) {
			retryMemory.complete(itemIndex, jobOf(job, itemIndex).fromItem ?? {});
		}
		const run: RunContext = {
			client: clientWith(httpRequest, clock, { signal, calls: items.length }),
			clock,
			signal,
			retryMemory,
			sendOnce: new SendOnce(rows, clock),
			frequencyCap: new FrequencyCap(rows, clock),
			periodBudget: new PeriodBudget(rows, clock),
			spending: new Spending(limit, retryMemory.spent),
			inFlight: new Set(),
			ledger: scenario.markMs === undefined ? undefined : slowLedger(scenario.markMs),
		};
		const ofRun = { wasRateLimited: false };
		const perform = async (message: Message, itemIndex: number, onWaiting: () => void) => {
			const attempt: Attempt = {
				message,
				isDryRun,
				signal,
				startedAt: clock.now(),
				requests: 0,
				fallbacks: 0,
				isTooLate: false,
				run: ofRun,
			};
			attempts.set(message.job.message.templateName, attempt);
			for (const entry of api.of(message)) entry.status = 'sent';
			message.isActive = true;
			const job = { ...message.job, dryRun: isDryRun };
			const outcome = await jobOf(job, itemIndex).perform(run, (sent) => {
				checkOutcome(api, attempt, sent as Outcome, false);
				onWaiting();
			});
			checkOutcome(api, attempt, outcome as Outcome, true);
			Object.assign(message, { isActive: false, endedAt: clock.now() });
			return outcome as Outcome;
		};
		const outcomes: Array<Promise<Outcome>> = [];
		for (const [itemIndex, message] of items.entries()) {
			if (signal.aborted) break;
			await new Promise<void>((goOn) => {
				outcomes.push(perform(message, itemIndex, goOn).finally(goOn));
			});
		}
		const all = await Promise.all(outcomes);
		retryMemory.rememberSpent(run.spending.spent);
		run.client.close();
		must(
			Math.abs(run.spending.spent - api.spentBy(items[0].execution)) < 1e-9,
			'What is spent is the price of what was sent or may have been sent, in all attempts.',
		);
		return all;
	}

	function addMessage(execution: string, changes: Partial<SendJob> = {}, number = 0): Message {
		const { category, hasKey, capHours, hours, untilMs, optedOut } = scenario;
		const to = NUMBERS[number];
		const customerLastMessageAt = windowEnds - 24 * HOUR_MS;
		const job: SendJob = {
			message: { to, type: 'template', templateName: `template${messages.length}` },
			categoryChoice:
				category === 'auto' ? { category, fallbackCategory, customerLastMessageAt } : { category },
			sendOnceKey: hasKey ? `order-1 to ${to}` : undefined,
			cap: capHours
				? { counter: 'node', number: to, messages: 1, periodMs: capHours * HOUR_MS }
				: undefined,
			sendBetween: hours && { from: hours[0], until: hours[1], zones: ['UTC'] },
			sendUntil: untilMs === undefined ? undefined : clock.now() + untilMs,
			isOptedOut: optedOut === ['first', 'second'][number],
			wait: scenario.wait,
			dryRun: false,
			incomplete: [],
			rawResponse: scenario.rawResponse,
			limits: { timeoutMs: 1_000, requestsPerMinute: scenario.requestsPerMinute },
			...changes,
		};
		const outputs = new Map<string, string>();
		const message = { execution, job, outputs, isActive: false, endedAt: -Infinity };
		messages.push(message);
		return message;
	}

	function addSecond(execution: string): Message[] {
		if (!second || second.isOfOtherExecution !== (execution === 'other')) return [];
		const key = second.hasSameKey ? {} : { sendOnceKey: undefined };
		const number = second.hasSameNumber ? 0 : 1;
		return [addMessage(execution, { wait: second.wait, ...key }, number)];
	}

	const api = new LedgerApi(scenario, clock);
	async function execute(): Promise<void> {
		const items = [addMessage('own'), ...addSecond('own')];
		let store: IContextObject = {};
		for (const { afterMs, isStored, ...settings } of scenario.attempts) {
			await clock.sleep(afterMs);
			await attemptAll(api, store, items, settings);
			store = isStored ? (JSON.parse(JSON.stringify(store)) as object) : structuredClone(store);
		}
	}
	async function executeOther(): Promise<void> {
		await clock.sleep(second?.beginsAfterMs ?? 0);
		const items = addSecond('other');
		if (items.length > 0) await attemptAll(api, {}, items);
	}
	await clock.run(Promise.all([execute(), executeOther()]));

	api.script = { ...scenario, answers: ['sent'] };
	const last = addMessage('last', {
		wait: undefined,
		sendBetween: undefined,
		sendUntil: undefined,
		isOptedOut: false,
		categoryChoice: { category: 'service' },
	});
	const before = api.withKey(last).filter(isHeld);
	const recent = api.inCap(last).some(isHeld);
	const mayBeRecent = api.inCap(last, 'up').some(isHeld);
	const [outcome] = await clock.run(attemptAll(api, {}, [last]));
	const { kind } = outcome;
	if (before.length > 0) {
		const isTold = before.some(({ isAccepted }) => isAccepted)
			? kind === 'sentBefore'
			: kind === 'failed';
		must(isTold, 'What may have arrived keeps its key.');
	} else if (mayBeRecent) {
		must(!recent || kind === 'skipped', 'What may have arrived counts for its number.');
	} else {
		must(kind === 'sent', 'What certainly did not arrive gives back its key and its number.');
	}
	return [...broken];
}

/** For two minutes. */
const HELD_BACK: Scenario['answers'] = [...Array.from({ length: 7 }, () => '429' as const), 'sent'];
const OTHER_TO_THE_NUMBER = {
	isOfOtherExecution: true,
	hasSameKey: false,
	hasSameNumber: true,
	wait: undefined,
};

const ONE_ATTEMPT = [{ afterMs: 0, stopsAfterMs: undefined, isStored: true, isDryRun: false }];

/** What this model has found, and what chance alone would seldom find. */
const CORNERS: Array<Partial<Scenario>> = [
	// Only a retry learns of the failure: the key and the number stay taken.
	{ fates: [{ status: 'failed131047', afterMs: 3_000 }] },
	// The next attempt still knows the message before a fallback of unknown outcome.
	{ answers: ['failed131047', '500'] },
	// The API calls the fallback a service message too.
	{ answers: ['failed131047'], callsFallbackService: true },
	// The hours count from the request, which the rate limit has held back.
	{
		answers: HELD_BACK,
		attempts: ONE_ATTEMPT,
		second: { ...OTHER_TO_THE_NUMBER, beginsAfterMs: 61 * MINUTE_MS },
	},
	// The rate limit holds a message back, and meanwhile its claim on the number ends.
	{
		answers: HELD_BACK,
		capHours: 0.02,
		attempts: ONE_ATTEMPT,
		second: { ...OTHER_TO_THE_NUMBER, beginsAfterMs: 80_000 },
	},
];

// README, Top: no duplicates, no surprise costs; docs/sending.md and docs/send-once.md: what is counted, kept and given back
it('whatever meets in a send, nothing is sent twice, nothing is forgotten and no outcome is a lie', async () => {
	const random = jest.spyOn(Math, 'random');
	const examples = CORNERS.map((changes): [Scenario] => [{ ...AUTO_WITH_KEY, ...changes }]);
	await fc.assert(
		fc.asyncProperty(anyScenario, async (scenario) => {
			random.mockImplementation(seededRandom(scenario.seed));
			expect(await play(scenario)).toEqual([]);
		}),
		{ ...sample(300, 1), examples },
	);
	random.mockRestore();
});
