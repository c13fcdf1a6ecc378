import type { IExecuteFunctions } from 'n8n-workflow';
import { type Clock, pause } from '../clock';
import { joinSentences } from '../inputError';
import type { Result } from '../outcome';
import { formatMoment } from '../template/sendingHours';
import { formatCount, formatDuration } from './figures';

const INTERVAL_MS = 60_000;
/** As the line names them, in its order. A dry run is not named. */
const NAMED_KINDS: Array<[Result['kind'], string]> = [
	['sent', 'sent'],
	['found', 'looked up'],
	['skipped', 'skipped'],
	['failed', 'failed'],
];

/**
 * Tells every minute how far a run has come: in n8n's log and, for a manual run, in the console of the browser. n8n
 * shows nothing else of a node before it ends; it stores hints and custom data at the end, too.
 */
export class Progress {
	private readonly ended = new AbortController();
	private readonly startedAt: number;
	private readonly counts = new Map<Result['kind'], number>();
	private left: number;
	/** Items that took time: they were neither skipped nor sent by an earlier attempt or execution. */
	private performed = 0;

	/** @param reportSent what it says besides: n8n stores nothing of a run that is killed */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly items: number,
		private readonly clock: Clock,
		private readonly reportSent: () => string,
	) {
		this.startedAt = clock.ticks();
		this.left = items;
		// The output of a single item says it all.
		if (items > 1) void this.tellEachMinute();
	}

	/** @param isNew false for the result of an earlier attempt */
	count(result: Result, isNew: boolean): void {
		const isBefore = result.kind === 'sentBefore';
		const kind = isBefore ? 'sent' : result.kind;
		this.left--;
		this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
		if (isNew && kind !== 'skipped' && !isBefore) this.performed++;
	}

	end(): void {
		this.ended.abort();
	}

	private async tellEachMinute(): Promise<void> {
		const { signal } = this.ended;
		while (!signal.aborted) {
			await pause(this.clock, INTERVAL_MS, signal);
			if (!signal.aborted && this.left > 0) this.tell();
		}
	}

	private tell(): void {
		const { context } = this;
		const text = joinSentences(this.text(), this.reportSent());
		context.logger.info(
			`Execution ${context.getExecutionId()}, "${context.getNode().name}": ${text}`,
		);
		context.sendMessageToUI(text);
	}

	private text(): string {
		const kinds = NAMED_KINDS.flatMap(([kind, word]) => {
			const count = this.counts.get(kind);
			return count ? `${formatCount(count)} ${word}` : [];
		});
		const done = [...kinds, `${formatCount(this.left)} of ${formatCount(this.items)} left`].join(
			', ',
		);
		if (this.performed === 0) return `${done}.`;
		const toGoMs = (this.left * (this.clock.ticks() - this.startedAt)) / this.performed;
		const end = formatMoment(this.clock.now() + toGoMs, this.context.getTimezone());
		return `${done}. About ${formatDuration(toGoMs)} to go, until ${end}.`;
	}
}
