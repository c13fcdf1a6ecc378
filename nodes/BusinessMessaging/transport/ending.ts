import { NO_ANSWERS, NOT_TRIED, refusedFor, refusedUntil } from '../errors/endingRemedies';
import { outcomeFor } from '../errors/failure';
import type { Failure } from '../errors/failure';
import type { Purpose } from '../errors/httpErrors';
import { PATIENCE_MS } from './pacing/rateLimit';
import type { RateLimit } from './pacing/rateLimit';
import { isRateLimited } from './retry';

/** A limit per minute lets something through within two. Other processes may take it for longer. */
const NOTHING_FOR_MS = 3 * 60_000;
const NOTHING_WITH_HEADERS_MS = 10 * 60_000;
const MIN_REFUSALS = 3;
const WRONG_KEYS = 3;
/** Each send without an answer leaves a doubt: better few than thousands. */
const NO_ANSWER_FOR_MS = 60_000;
const MIN_UNANSWERED = 3;

export interface Answered {
	failure?: Failure;
	rateLimit: RateLimit;
}

/** Finds out that a run can't go on, so that not each of 5,000 items has to. */
export interface Ending {
	/** A request was answered. */
	answered: (answer: Answered) => void;
	/**
	 * All tries of a call failed, without an answer to the last one.
	 * @param wasSent whether that one may have reached the API
	 * @param since ticks of the first
	 */
	unanswered: (failure: Failure, wasSent: boolean, since: number) => void;
	hasEnded: () => boolean;
	/** Why nothing more is asked of the API in this run; undefined while it goes on. */
	reason: (purpose: Purpose, wasTried: boolean) => Failure | undefined;
}

export interface EndingParts {
	/** Ms that only go forward. */
	ticks: () => number;
	/** Epoch ms. */
	now: () => number;
	/** How long the API has refused everything of this account because of the limit. */
	refused: () => { times: number; forMs: number };
	/** Called once. */
	onEnd: () => void;
}

export function createEnding({ ticks, now, refused, onEnd }: EndingParts): Ending {
	let reason: Failure | undefined;
	let wrongKeys = 0;
	let lastAnswerAt = -Infinity;
	let silentSince = Infinity;
	let silences = 0;

	function end(failure: Failure, remedy: string): void {
		if (reason) return;
		reason = { ...failure, remedy };
		onEnd();
	}

	return {
		answered({ failure, rateLimit: { retryAfterMs = 0, remaining } }) {
			lastAnswerAt = ticks();
			silentSince = Infinity;
			silences = 0;
			wrongKeys = failure?.httpStatus === 401 ? wrongKeys + 1 : 0;
			if (!failure) return;
			if (wrongKeys >= WRONG_KEYS) end(failure, failure.remedy);
			if (!isRateLimited(failure)) return;
			const { times, forMs } = refused();
			const patience = remaining === undefined ? NOTHING_FOR_MS : NOTHING_WITH_HEADERS_MS;
			if (retryAfterMs > PATIENCE_MS) {
				end(failure, refusedUntil(now() + retryAfterMs));
			} else if (times >= MIN_REFUSALS && forMs >= patience) {
				end(failure, refusedFor(forMs));
			}
		},
		unanswered(failure, wasSent, since) {
			if (lastAnswerAt >= since) return;
			silentSince = Math.min(silentSince, since);
			silences++;
			const isLong = silences >= MIN_UNANSWERED && ticks() - silentSince >= NO_ANSWER_FOR_MS;
			if (!wasSent) end(failure, failure.remedy);
			else if (isLong) end(failure, NO_ANSWERS);
		},
		hasEnded: () => reason !== undefined,
		reason(purpose, wasTried) {
			if (!reason) return undefined;
			const remedy = wasTried ? reason.remedy : `${reason.remedy} ${NOT_TRIED}`;
			return { ...reason, remedy, outcome: outcomeFor(purpose, 'notSent') };
		},
	};
}
