import { createHash } from 'crypto';
import { type Clock, pause } from '../clock';
import { type Failed, failureFromInput, unknownKeyOutcome } from '../errors/failure';
import { InputError, reasonOf } from '../inputError';
import { newOwner } from './lock';
import { NoRows, noRowsFor, type Rows } from './rows';

/** What became of a message. `notSent`: its key may be used again. */
export type SendOnceOutcome = 'sent' | 'unknown' | 'notSent';

interface Keyed {
	key: string;
	/** Sends even if a message with the key may have been sent before. */
	evenIfUnknown: boolean;
	/** An earlier attempt of this execution may have sent it, so this one does not wait for other executions. */
	mayHaveGone?: boolean;
	/** Ends waiting for other executions. */
	signal: AbortSignal;
}

interface KeyedSend<T> extends Keyed {
	send: () => Promise<T>;
	outcomeOf: (result: T) => SendOnceOutcome;
}

/** With which a run has sent a message. */
export interface KeyClaim {
	attempt: number;
	owner: string;
}

/** What the rows of a key say. `attempts`: how many are in flight or have an unknown outcome. */
interface KeyState {
	isSent: boolean;
	attempts: number;
}

/** How long a run waits for messages that other executions are sending, which the rate limit may hold up. */
const OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 500;

const LOOKS_AT_ONCE = 20;

/** After that many of unknown outcome, a message is not attempted again. */
const MAX_ATTEMPTS = 20;

/** After another execution was faster, or has just removed its row. */
const RACE_PAUSE_MS = 20;

/** How long another execution may take to remove its row. */
const REMOVAL_MS = 10_000;

/**
 * The memory of Send Once Keys, for one run of the node. A key belongs to the workflow, whichever node sends it.
 * Its row has one entry from *before* the message is sent, and a second one when it was sent. If n8n is killed in
 * between, the outcome stays unknown. To send the message nevertheless, an execution creates the row of the next
 * attempt. Only one execution gets it, and the rows of the earlier attempts stay.
 */
export class SendOnce {
	/** By key: the last message of this run, for which the next one waits. */
	private readonly last = new Map<string, Promise<unknown>>();
	/** Names of rows. */
	private readonly unknownRows = new Set<string>();
	/** By key: the message that this run has sent with it. */
	private readonly own = new Map<string, KeyClaim>();
	/** In ticks. One minute for all keys of the run. */
	private othersUntil?: number;
	private unusable?: Failed;
	private readonly shown = new Set<string>();
	/** Why each of the rows could not be written. */
	private readonly unwritten: string[] = [];

	/** @param openRows is not called before there is a key */
	constructor(
		private readonly openRows: () => Promise<Rows>,
		private readonly clock: Clock,
	) {}

	/** With which of these keys a message was sent. @throws InputError when the memory can't be used */
	async sentOf(keys: string[]): Promise<Set<string>> {
		const sent = new Set<string>();
		const queue = new Set(keys).values();
		const worker = async () => {
			for (const key of queue) if ((await this.stateOf(key)).isSent) sent.add(key);
		};
		const workers = Array.from({ length: Math.min(LOOKS_AT_ONCE, keys.length) }, worker);
		await Promise.all(workers).catch(async (error) => await Promise.reject(memoryProblem(error)));
		return sent;
	}

	/**
	 * Sends a message, unless one with its key was sent or may have been. Within a run, the second message with
	 * a key waits for the outcome of the first.
	 * @returns undefined when one was sent before
	 */
	async send<T>(message: KeyedSend<T>): Promise<T | Failed | undefined> {
		const { key } = message;
		const before = this.last.get(key) ?? Promise.resolve();
		const sent = before.then(async () => await this.claimAndSend(message));
		this.last.set(key, sent);
		return await sent;
	}

	/** The same for a dry run, which records nothing. @param show in place of sending */
	async show<T>(
		key: string,
		evenIfUnknown: boolean,
		show: () => T,
	): Promise<T | Failed | undefined> {
		const state = await this.stateOf(key).catch(asFailed);
		if ('failure' in state) return state;
		if (state.isSent || this.shown.has(key)) return undefined;
		if (state.attempts > 0 && !evenIfUnknown) return { failure: unknownKeyOutcome() };
		this.shown.add(key);
		return show();
	}

	/**
	 * Gives the key back, because the message that this run sent with it did not reach the customer.
	 * @param earlier the claim, if an earlier attempt of this run sent it. The key may be another message's by now.
	 */
	async free(key: string, earlier?: KeyClaim): Promise<void> {
		const own = this.own.get(key);
		this.own.delete(key);
		const claim = own ?? earlier;
		if (claim) await this.orNote(async (rows) => await this.giveUp(rows, key, claim, !own));
	}

	/** The claim of the message that this run sent with the key, for a later attempt. */
	claimOf(key: string): KeyClaim | undefined {
		return this.own.get(key);
	}

	/** What the memory does not know although it should. */
	get problem(): string | undefined {
		const { length, [0]: reason } = this.unwritten;
		if (length === 0) return undefined;
		const [keys, them] = length === 1 ? ['Key', 'it'] : ['Keys', 'them'];
		return `${length} Send Once ${keys} could not be updated, so the next run may skip ${them} or report ${them} as unknown: ${reason}`;
	}

	private async claimAndSend<T>(message: KeyedSend<T>): Promise<T | Failed | undefined> {
		const { key, send, outcomeOf } = message;
		if (this.unusable) return this.unusable;
		const owner = newOwner();
		const claimed = await this.claim(message, owner).catch((error) => {
			this.unusable = asFailed(error);
			return this.unusable;
		});
		if (claimed === 'sent') return undefined;
		if ('failure' in claimed) return claimed;
		const { attempt } = claimed;
		const row = rowOf(key, attempt);
		this.own.set(key, { attempt, owner });
		const result = await send();
		const outcome = outcomeOf(result);
		if (outcome === 'sent') await this.orNote(async (rows) => await rows.end(row, owner));
		if (outcome === 'unknown') this.unknownRows.add(row);
		if (outcome === 'notSent') await this.free(key);
		return result;
	}

	private async claim(
		message: Keyed,
		owner: string,
	): Promise<{ attempt: number } | 'sent' | Failed> {
		const { key, evenIfUnknown, signal } = message;
		for (;;) {
			const { isSent, attempts } = await this.stateAfterOthers(message);
			if (isSent) return 'sent';
			const takesOver = evenIfUnknown && attempts < MAX_ATTEMPTS && !signal.aborted;
			if (attempts > 0 && !takesOver) return { failure: unknownKeyOutcome() };
			const rows = await this.openRows();
			const row = rowOf(key, attempts + 1);
			if (!(await rows.create(row, owner))) {
				await pause(this.clock, RACE_PAUSE_MS, signal);
				if (signal.aborted) return { failure: unknownKeyOutcome() };
				continue;
			}
			if (attempts === 0) return { attempt: 1 };
			// Meanwhile the earlier attempt may have ended, and its row been removed.
			const now = await this.stateOf(key);
			if (!now.isSent && now.attempts > attempts) {
				this.unknownRows.add(rowOf(key, attempts));
				return { attempt: attempts + 1 };
			}
			await rows.remove(row);
		}
	}

	/** Waits for another execution that is sending the message: it may take too long, or have been killed. */
	private async stateAfterOthers(message: Keyed): Promise<KeyState> {
		const { key, evenIfUnknown, mayHaveGone, signal } = message;
		if (mayHaveGone) this.unknownRows.add(rowOf(key, 1));
		for (let until: number | undefined; ;) {
			const state = await this.stateOf(key);
			const { isSent, attempts } = state;
			if (isSent || attempts === 0 || this.unknownRows.has(rowOf(key, attempts))) return state;
			const fullWait = this.clock.ticks() + OTHERS_MS;
			this.othersUntil ??= fullWait;
			// With `evenIfUnknown` this run then sends the message, so it first gives another execution the full minute.
			until ??= evenIfUnknown ? fullWait : this.othersUntil;
			if (signal.aborted || this.clock.ticks() >= until) return state;
			await pause(this.clock, LOOK_AGAIN_MS, signal);
		}
	}

	private async stateOf(key: string): Promise<KeyState> {
		const rows = await this.openRows();
		for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
			const entries = await rows.count(rowOf(key, attempts + 1));
			if (entries !== 1) return { isSent: entries > 1, attempts };
		}
		return { isSent: false, attempts: MAX_ATTEMPTS };
	}

	/**
	 * Removes the row of an attempt, unless another execution has begun the next attempt. If this run creates the
	 * next attempt's row, it removes both rows. If another execution has that row, both stay.
	 */
	private async giveUp(
		rows: Rows,
		key: string,
		{ attempt, owner }: KeyClaim,
		isEarlier: boolean,
	): Promise<void> {
		const row = rowOf(key, attempt);
		const next = rowOf(key, attempt + 1);
		const until = this.clock.ticks() + REMOVAL_MS;
		while (!(await rows.create(next, newOwner()))) {
			if (this.clock.ticks() >= until) throw new Error('another attempt with it is remembered');
			await this.clock.sleep(LOOK_AGAIN_MS);
		}
		if (!isEarlier || (await rows.create(row, owner))) await rows.remove(row);
		await rows.remove(next);
	}

	/** Notes a failed write, because the message's own outcome must not be lost with the memory. */
	private async orNote(write: (rows: Rows) => Promise<void>): Promise<void> {
		try {
			await write(await this.openRows());
		} catch (error) {
			this.unwritten.push(reasonOf(error));
		}
	}
}

/** 128 bits are enough to be unique. */
function rowOf(key: string, attempt: number): string {
	const digest = createHash('sha256').update(key).digest().subarray(0, 16);
	const row = `once:${digest.toString('base64url')}`;
	return attempt === 1 ? row : `${row}:${attempt}`;
}

function asFailed(error: unknown): Failed {
	return { failure: failureFromInput(memoryProblem(error)) };
}

/** @param error of n8n's database, or of an n8n without this memory */
function memoryProblem(error: unknown): InputError {
	if (error instanceof NoRows) return noRowsFor('Send Once Key', error);
	return new InputError(
		`The memory of Send Once Key can't be used: ${reasonOf(error)}`,
		'Run it again when the database of n8n answers.',
	);
}
