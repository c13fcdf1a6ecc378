import type { IExecuteFunctions } from 'n8n-workflow';
import type { Job } from '../actions/job';
import { pause } from '../clock';
import { joinSentences } from '../inputError';
import type { Result } from '../outcome';
import { formatMoment } from '../template/sendingHours';
import { formatCount, formatDuration, formatItems } from './figures';
import type { Plan } from './plan';
import { mayHaveBeenSent, messagesOf, wereSent } from './sentReport';

const INTERVAL_MS = 60_000;

/** Letters, digits and underscores. */
const CUSTOM_DATA_KEY = 'messages_when_stopped';
/** n8n cuts a value off behind 512 characters. */
const MOST_STORED_RANGES = 8;
/** The log is all that is left of a run that was killed. */
const MOST_LOGGED_RANGES = 1000;

/**
 * Tells how far a run has come: every minute in n8n's log and, for a manual run, in the console of the browser, because
 * n8n shows nothing else of a node before it ends. And when somebody stops the run, because n8n then stores neither
 * output nor error nor hint, but only the custom data that the execution has at that moment, and the log.
 */
export class Progress {
	private readonly ended = new AbortController();
	private readonly startedAt: number;
	private readonly canceled?: AbortSignal;
	/** Those that no earlier attempt has done. */
	private readonly toDo: Job[];

	/** @param results by item, as far as they are known */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly plan: Pick<Plan, 'accounts' | 'clock' | 'inFlight'>,
		private readonly results: Result[],
		private readonly sends: boolean,
	) {
		this.startedAt = plan.clock.ticks();
		this.toDo = plan.accounts.all.flatMap(({ jobs }) => jobs).filter(this.isLeft);
		// The output of a single item says it all.
		if (this.toDo.length > 1) void this.tellEachMinute();
		this.canceled = context.getExecutionCancelSignal();
		if (sends) this.canceled?.addEventListener('abort', this.store);
	}

	/** All requests have ended. */
	end(): void {
		this.ended.abort();
		this.canceled?.removeEventListener('abort', this.store);
		if (!this.sends || !this.canceled?.aborted) return;
		const { context } = this;
		context.logger.warn(
			`Execution ${context.getExecutionId()} was stopped in "${context.getNode().name}". ${this.report()}`,
		);
	}

	private readonly isLeft = ({ itemIndex }: Job): boolean => {
		const result = this.results[itemIndex];
		return 'notStarted' in result;
	};

	private async tellEachMinute(): Promise<void> {
		const { signal } = this.ended;
		while (!signal.aborted) {
			await pause(this.plan.clock, INTERVAL_MS, signal);
			if (!signal.aborted) this.tell();
		}
	}

	private tell(): void {
		const { context, toDo } = this;
		const left = toDo.filter(this.isLeft).length;
		if (left === 0) return;
		const text = joinSentences(
			`${formatCount(left)} of ${formatCount(toDo.length)} left`,
			this.howLong(left),
			this.sends && this.report(),
		);
		context.logger.info(
			`Execution ${context.getExecutionId()}, "${context.getNode().name}": ${text}`,
		);
		context.sendMessageToUI(text);
	}

	private howLong(left: number): string {
		const { clock } = this.plan;
		// What is skipped, or was sent before, takes no time.
		const took = this.toDo.filter(
			(job) =>
				!this.isLeft(job) && !['skipped', 'sentBefore'].includes(this.results[job.itemIndex].kind),
		).length;
		if (took === 0) return '';
		const toGoMs = (left * (clock.ticks() - this.startedAt)) / took;
		const end = formatMoment(clock.now() + toGoMs, this.context.getTimezone());
		return `About ${formatDuration(toGoMs)} to go, until ${end}`;
	}

	/** Not in onExecutionFinish(), which n8n calls after it has stored the data, and before the requests in flight have ended. */
	private readonly store = (): void => {
		// Not there in older n8n.
		this.context.customData?.set(CUSTOM_DATA_KEY, this.report(MOST_STORED_RANGES));
	};

	/** What was sent by now. */
	private report(maxRanges = MOST_LOGGED_RANGES): string {
		const { results } = this;
		const messages = messagesOf(results);
		const open = [...results.keys()].filter((item) => this.plan.inFlight.has(item));
		return joinSentences(
			wereSent(messages, results.length, maxRanges),
			mayHaveBeenSent(messages, maxRanges),
			open.length > 0 && `In flight: ${formatItems(open, maxRanges)}`,
		);
	}
}
