import { createHash } from 'crypto';
import { type Clock, pause } from '../clock';
import { failureFromInput, unknownKeyOutcome } from '../errors/failure';
import { reasonOf } from '../inputError';
import { failed, type FailedOutcome, meaningOf, type Outcome } from '../outcome';
import { newOwner } from './lock';
import { memoryProblem, type Rows } from './rows';

interface KeyedSend {
	key: string;
	send: () => Promise<Outcome>;
	/** Ends waiting for other executions. */
	signal: AbortSignal;
}

/** `open`: a message with the key is in flight, or its outcome is unknown. */
type KeyState = 'free' | 'open' | 'sent';

/** How long a run waits for messages that other executions are sending, which the rate limit may hold up. */
const OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 500;

const LOOKS_AT_ONCE = 20;

/** After another execution was faster, or has just removed its row. */
const RACE_PAUSE_MS = 20;

/**
 * The memory of Send Once Keys, for one run of the node. A key belongs to the workflow, whichever node sends it.
 * Its row has one entry from *before* the message is sent, and a second one when it was sent. If n8n is killed in
 * between, the outcome stays unknown.
 */
export class SendOnce {
	/** By key: the last message of this run, for which the next one waits. */
	private readonly last = new Map<string, Promise<unknown>>();
	/** Keys whose row this run has created. */
	private readonly own = new Set<string>();
	/** In ticks. One minute for all keys of the run. */
	private othersUntil?: number;
	private unusable?: FailedOutcome;
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
			for (const key of queue) if ((await this.stateOf(key)) === 'sent') sent.add(key);
		};
		const workers = Array.from({ length: Math.min(LOOKS_AT_ONCE, keys.length) }, worker);
		await Promise.all(workers).catch(
			async (error) => await Promise.reject(memoryProblem('Send Once Key', error)),
		);
		return sent;
	}

	/**
	 * Sends a message, unless one with its key was sent or may have been. Within a run, the second message with
	 * a key waits for the outcome of the first.
	 * @returns undefined when one was sent before
	 */
	async send(message: KeyedSend): Promise<Outcome | undefined> {
		const { key } = message;
		const before = this.last.get(key) ?? Promise.resolve();
		const sent = before.then(async () => await this.claimAndSend(message));
		this.last.set(key, sent);
		return await sent;
	}

	/** The same for a dry run, which records nothing. @param show in place of sending */
	async show(key: string, show: () => Promise<Outcome>): Promise<Outcome | undefined> {
		const state = await this.stateOf(key).catch(asFailed);
		if (typeof state === 'object') return state;
		if (state === 'sent' || this.shown.has(key)) return undefined;
		if (state === 'open') return failed({ failure: unknownKeyOutcome() });
		this.shown.add(key);
		return await show();
	}

	/** Gives the key back, if this run sent the message with it, because the message did not reach the customer. */
	async free(key: string): Promise<void> {
		if (this.own.delete(key)) await this.orNote(async (rows) => await rows.remove(rowOf(key)));
	}

	/** What the memory does not know although it should. */
	get problem(): string | undefined {
		const { length, [0]: reason } = this.unwritten;
		if (length === 0) return undefined;
		const [keys, them] = length === 1 ? ['Key', 'it'] : ['Keys', 'them'];
		return `${length} Send Once ${keys} could not be updated, so the next run may skip ${them} or report ${them} as unknown: ${reason}`;
	}

	private async claimAndSend(message: KeyedSend): Promise<Outcome | undefined> {
		const { key, send, signal } = message;
		if (this.unusable) return this.unusable;
		const owner = newOwner();
		const claimed = await this.claim(key, owner, signal).catch((error) => {
			this.unusable = asFailed(error);
			return this.unusable;
		});
		if (claimed === 'sent') return undefined;
		if (claimed === 'open') return failed({ failure: unknownKeyOutcome() });
		if (claimed !== 'claimed') return claimed;
		this.own.add(key);
		const outcome = await send();
		const { key: becomes } = meaningOf(outcome);
		if (becomes === 'sent') await this.orNote(async (rows) => await rows.end(rowOf(key), owner));
		if (becomes === 'free') await this.free(key);
		return outcome;
	}

	private async claim(
		key: string,
		owner: string,
		signal: AbortSignal,
	): Promise<'claimed' | 'open' | 'sent'> {
		for (;;) {
			const state = await this.stateAfterOthers(key, signal);
			if (state !== 'free') return state;
			const rows = await this.openRows();
			if (await rows.create(rowOf(key), owner)) return 'claimed';
			await pause(this.clock, RACE_PAUSE_MS, signal);
			if (signal.aborted) return 'open';
		}
	}

	/** Waits for another execution that is sending the message: it may take too long, or have been killed. */
	private async stateAfterOthers(key: string, signal: AbortSignal): Promise<KeyState> {
		for (;;) {
			const state = await this.stateOf(key);
			if (state !== 'open' || this.own.has(key)) return state;
			this.othersUntil ??= this.clock.ticks() + OTHERS_MS;
			if (signal.aborted || this.clock.ticks() >= this.othersUntil) return state;
			await pause(this.clock, LOOK_AGAIN_MS, signal);
		}
	}

	private async stateOf(key: string): Promise<KeyState> {
		const rows = await this.openRows();
		const entries = await rows.count(rowOf(key));
		return entries === 0 ? 'free' : entries === 1 ? 'open' : 'sent';
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
function rowOf(key: string): string {
	const digest = createHash('sha256').update(key).digest().subarray(0, 16);
	return `once:${digest.toString('base64url')}`;
}

function asFailed(error: unknown): FailedOutcome {
	return failed({ failure: failureFromInput(memoryProblem('Send Once Key', error)) });
}
