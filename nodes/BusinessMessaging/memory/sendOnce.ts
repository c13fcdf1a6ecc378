import { createHash } from 'crypto';

import { pause } from '../clock';
import type { Clock } from '../clock';
import { keyInDoubt } from '../errors/failure';
import type { Failed } from '../errors/failure';
import { memoryProblem } from '../errors/memoryProblem';
import { failureFromInput } from '../errors/nodeError';
import { reasonOf } from '../errors/sentences';
import { newOwner } from './lock';
import type { Rows } from './rows';

/** How long a message that another execution is sending is waited for: the rate limit may hold it up. */
const OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 500;

const LOOKS_AT_ONCE = 20;

/** Of sending a message whose earlier attempts are all in doubt. */
const MAX_ATTEMPTS = 20;

/** How long another's row may take to be removed. */
const REMOVAL_MS = 10_000;

/** What became of a message. `notSent`: its key may be used again. */
export type Fate = 'sent' | 'unknown' | 'notSent';

interface Keyed {
	key: string;
	/** Sends also when a message with the key may have been sent before. */
	evenInDoubt: boolean;
	/** An earlier try of this execution may have sent it, so nobody is waited for. */
	knownInDoubt?: boolean;
	/** Ends waiting for other executions. */
	signal: AbortSignal;
}

interface KeyedSend<T> extends Keyed {
	send: () => Promise<T>;
	fateOf: (result: T) => Fate;
}

/** What the rows of a key say. `attempts`: how many are under way or in doubt. */
interface Standing {
	isSent: boolean;
	attempts: number;
}

/**
 * The memory of Send Once Keys, for one run of the node. Each key has a row of the workflow, whichever node
 * sends it: with one entry from before its message is sent, and with two when it was. If n8n is killed in
 * between, the key stays in doubt. Who sends it all the same does so in a row of the next attempt, which
 * exactly one gets, so the doubt about the earlier ones is not lost.
 */
export class SendOnce {
	private readonly inTurn = new Map<string, Promise<unknown>>();
	/** Rows. */
	private readonly inDoubt = new Set<string>();
	/** By key: the attempt in which this run has sent it. */
	private readonly own = new Map<string, number>();
	/** In ticks: the end of the minute that the run waits for others. */
	private othersUntil?: number;
	private unusable?: Failed;
	private readonly shown = new Set<string>();
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
			for (const key of queue) if ((await this.standingOf(key)).isSent) sent.add(key);
		};
		const workers = Array.from({ length: Math.min(LOOKS_AT_ONCE, keys.length) }, worker);
		await Promise.all(workers).catch(async (error) => await Promise.reject(memoryProblem(error)));
		return sent;
	}

	/**
	 * Sends a message, unless one with its key was sent or may have been. In one run the second with the same
	 * key waits for what becomes of the first.
	 * @returns undefined when one was sent before
	 */
	async send<T>(message: KeyedSend<T>): Promise<T | Failed | undefined> {
		const { key } = message;
		const before = this.inTurn.get(key) ?? Promise.resolve();
		const turn = before.then(async () => await this.claimAndSend(message));
		this.inTurn.set(key, turn);
		return await turn;
	}

	/** The same for a dry run, which records nothing. @param show in place of sending */
	async show<T>(key: string, evenInDoubt: boolean, show: () => T): Promise<T | Failed | undefined> {
		const standing = await this.standingOf(key).catch(asFailed);
		if ('failure' in standing) return standing;
		const { isSent, attempts } = standing;
		if (isSent || this.shown.has(key)) return undefined;
		if (attempts > 0 && !evenInDoubt) return { failure: keyInDoubt() };
		this.shown.add(key);
		return show();
	}

	/** The message that this run sent with the key did not reach the customer. */
	async free(key: string): Promise<void> {
		const attempt = this.own.get(key);
		this.own.delete(key);
		if (attempt === undefined) return;
		await this.orNote(async (rows) => await this.giveUp(rows, key, attempt));
	}

	/** What the memory does not know although it should. */
	get problem(): string | undefined {
		const { length, [0]: reason } = this.unwritten;
		if (length === 0) return undefined;
		const [keys, them] = length === 1 ? ['Key', 'it'] : ['Keys', 'them'];
		return `${length} Send Once ${keys} could not be updated, so the next run may skip ${them} or report ${them} as unknown: ${reason}`;
	}

	private async claimAndSend<T>(message: KeyedSend<T>): Promise<T | Failed | undefined> {
		const { key, send, fateOf } = message;
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
		this.own.set(key, attempt);
		const result = await send();
		const fate = fateOf(result);
		if (fate === 'sent') await this.orNote(async (rows) => await rows.end(row, owner));
		if (fate === 'unknown') this.inDoubt.add(row);
		if (fate === 'notSent') await this.free(key);
		return result;
	}

	private async claim(
		message: Keyed,
		owner: string,
	): Promise<{ attempt: number } | 'sent' | Failed> {
		const { key, evenInDoubt, signal } = message;
		for (;;) {
			const { isSent, attempts } = await this.standingAtLast(message);
			if (isSent) return 'sent';
			const takesOver = evenInDoubt && attempts < MAX_ATTEMPTS && !signal.aborted;
			if (attempts > 0 && !takesOver) return { failure: keyInDoubt() };
			const rows = await this.openRows();
			const row = rowOf(key, attempts + 1);
			if (!(await rows.create(row, owner))) continue;
			if (attempts === 0) return { attempt: 1 };
			// Meanwhile the earlier attempt may have ended, and its row been removed.
			const now = await this.standingOf(key);
			if (!now.isSent && now.attempts > attempts) {
				this.inDoubt.add(rowOf(key, attempts));
				return { attempt: attempts + 1 };
			}
			await rows.remove(row);
		}
	}

	/** An attempt stays when another execution was killed, or takes too long. */
	private async standingAtLast(message: Keyed): Promise<Standing> {
		const { key, knownInDoubt, signal } = message;
		if (knownInDoubt) this.inDoubt.add(rowOf(key, 1));
		for (let until: number | undefined; ;) {
			const standing = await this.standingOf(key);
			const { isSent, attempts } = standing;
			if (isSent || attempts === 0 || this.inDoubt.has(rowOf(key, attempts))) return standing;
			until ??= this.waitsUntil(message);
			if (signal.aborted || this.clock.ticks() >= until) return standing;
			await pause(this.clock, LOOK_AGAIN_MS, signal);
		}
	}

	/** The run waits for a minute in all; but before it sends what another may be sending, for each key. */
	private waitsUntil({ evenInDoubt }: Keyed): number {
		const until = this.clock.ticks() + OTHERS_MS;
		this.othersUntil ??= until;
		return evenInDoubt ? until : this.othersUntil;
	}

	private async standingOf(key: string): Promise<Standing> {
		const rows = await this.openRows();
		for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
			const entries = await rows.count(rowOf(key, attempts + 1));
			if (entries !== 1) return { isSent: entries > 1, attempts };
		}
		return { isSent: false, attempts: MAX_ATTEMPTS };
	}

	/**
	 * Removes the row of an attempt, unless another execution has taken it over: of both, one gets the row of
	 * the next attempt.
	 */
	private async giveUp(rows: Rows, key: string, attempt: number): Promise<void> {
		const next = rowOf(key, attempt + 1);
		const until = this.clock.ticks() + REMOVAL_MS;
		while (!(await rows.create(next, newOwner()))) {
			if (this.clock.ticks() >= until) return;
			await this.clock.sleep(LOOK_AGAIN_MS);
		}
		await rows.remove(rowOf(key, attempt));
		await rows.remove(next);
	}

	/** The message has gone, or not: that must not be lost with the memory. */
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
	return { failure: failureFromInput(memoryProblem(error), 'send') };
}
