import { type Clock, pause } from '../clock';
import { notStarted, type Failed } from '../errors/failure';
import { reasonOf } from '../inputError';
import { meaningOf, type Outcome } from '../outcome';
import { memoryFailure, type Rows } from './rows';

/** A row that only one of all processes can create. */
export interface Claim {
	row: string;
	owner: string;
}

/** `instead`: of the message's outcome. `isOpen`: it may change, because another execution may be sending. */
export type Look<C extends Claim, Instead> =
	{ free: C; isOpen?: never } | { instead: Instead; isOpen: boolean };

/** How long a run waits for messages that other executions are sending, which the rate limit may hold up. */
export const OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 500;
/** After another execution was faster, or has just removed its row: from half of it to one and a half. */
const RACE_PAUSE_MS = 50;
/** So many times another execution was faster each time: something is wrong with the rows. */
const MAX_ATTEMPTS = 1000;

/**
 * What keeps messages from being sent, for one run of the node: rows in n8n's database. The row of a message is there
 * from *before* its request. It is ended when the message was sent, and removed when it was certainly not sent. The
 * row of a message of unknown outcome stays open, and so does every row of an n8n that is killed in between.
 */
export abstract class Claims<Wanted, C extends Claim, Instead> {
	/** Whose memory it is. */
	protected abstract readonly option: string;
	/** How many messages were shown, by the name of what they wanted. */
	private readonly shown = new Map<string, number>();
	private readonly own = new Map<Wanted, C>();
	/** The last message of this run, by the name of what it wants. */
	private readonly last = new Map<string, Promise<unknown>>();
	/** In ticks. One minute for all messages of the run. */
	private othersUntil?: number;
	private unusable?: Failed;
	/** Why each of the rows could not be written. */
	private readonly unwritten: string[] = [];

	/** @param openRows is not called before there is a message with the option */
	constructor(
		protected readonly openRows: () => Promise<Rows>,
		protected readonly clock: Clock,
	) {}

	/**
	 * Claims a message and sends it, unless another one keeps it from being sent. Within a run, messages that want the
	 * same wait for each other's outcome.
	 */
	async withClaim(
		wanted: Wanted,
		send: (claim: C) => Promise<Outcome>,
		signal: AbortSignal,
	): Promise<Outcome | Instead> {
		return await this.inTurn(wanted, async () => {
			if (this.unusable) return this.unusable;
			const claim = await this.claim(wanted, signal).catch((error) => this.fail(error));
			if ('instead' in claim) return claim.instead;
			this.own.set(wanted, claim);
			const outcome = await send(claim);
			const { claims, isRemembered } = meaningOf(outcome);
			if (claims === 'free') await this.free(wanted, isRemembered);
			else await this.orNote(async () => await this.keep(wanted, claim, claims));
			return outcome;
		});
	}

	/** The same for a dry run, which records nothing. @param show in place of sending */
	async show(wanted: Wanted, show: () => Promise<Outcome>): Promise<Outcome | Instead> {
		return await this.inTurn(wanted, async () => {
			if (this.unusable) return this.unusable;
			const name = this.nameOf(wanted);
			const shown = this.shown.get(name) ?? 0;
			const look = await this.look(wanted, shown).catch((error) => this.fail(error));
			if ('instead' in look) return look.instead;
			const outcome = await show();
			if (outcome.kind === 'shown') this.shown.set(name, shown + 1);
			return outcome;
		});
	}

	/** No other message of the run asks a database that does not answer. */
	private fail(error: unknown): { instead: Failed } {
		this.unusable = memoryFailure(this.option, error);
		return { instead: this.unusable };
	}

	/**
	 * Gives back what this run has claimed for a message, because the message did not reach the customer.
	 * @param isAccepted by the API
	 */
	async free(wanted: Wanted, isAccepted = true): Promise<void> {
		const own = this.own.get(wanted);
		this.own.delete(wanted);
		if (own) await this.orNote(async () => await this.release(own, isAccepted));
	}

	/** What the memory does not know although it should. */
	get problem(): string | undefined {
		const { length, [0]: reason } = this.unwritten;
		if (length === 0) return undefined;
		const messages = length === 1 ? '1 message' : `${length} messages`;
		return `The memory of ${this.option} could not be updated for ${messages}, so the next run may skip what it should send, or report it as unknown: ${reason}`;
	}

	private async inTurn<T>(wanted: Wanted, task: () => Promise<T>): Promise<T> {
		const name = this.nameOf(wanted);
		const own = Promise.resolve(this.last.get(name)).then(task);
		// The next one also comes after one that fails.
		this.last.set(
			name,
			own.catch(() => undefined),
		);
		return await own;
	}

	protected abstract nameOf(wanted: Wanted): string;

	/** Changes nothing. @param shown how many messages count although they were only shown */
	protected abstract look(wanted: Wanted, shown: number): Promise<Look<C, Instead>>;

	/** @returns whether the claim is this run's now; if not, it looks again */
	protected abstract take(wanted: Wanted, claim: C): Promise<boolean>;

	/** Records that the message was sent (`ended`), or may have been (`open`). */
	protected abstract keep(wanted: Wanted, claim: C, state: 'ended' | 'open'): Promise<void>;

	protected abstract release(claim: C, isAccepted: boolean): Promise<void>;

	protected isOwn(row: string): boolean {
		return [...this.own.values()].some((claim) => claim.row === row);
	}

	private async claim(wanted: Wanted, signal: AbortSignal) {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			const look = await this.lookAfterOthers(wanted, signal);
			if ('instead' in look) return look;
			if (signal.aborted) return { instead: notStarted() };
			if (await this.take(wanted, look.free)) return look.free;
			await pause(this.clock, RACE_PAUSE_MS * (0.5 + Math.random()), signal);
		}
		throw new Error(`the row of ${this.nameOf(wanted)} can't be created`);
	}

	/** Waits for another execution that is sending: it may take too long, or have been killed. */
	protected async lookAfterOthers(wanted: Wanted, signal: AbortSignal): Promise<Look<C, Instead>> {
		for (;;) {
			const look = await this.look(wanted, 0);
			if (!look.isOpen) return look;
			this.othersUntil ??= this.clock.ticks() + OTHERS_MS;
			if (signal.aborted || this.clock.ticks() >= this.othersUntil) return look;
			await pause(this.clock, LOOK_AGAIN_MS, signal);
		}
	}

	/** Notes a failed write, because the message's own outcome must not be lost with the memory. */
	private async orNote(write: () => Promise<void>): Promise<void> {
		try {
			await write();
		} catch (error) {
			this.unwritten.push(reasonOf(error));
		}
	}
}
