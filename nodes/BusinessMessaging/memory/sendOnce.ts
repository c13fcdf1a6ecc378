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

/** What became of a message. `notSent`: its key may be used again. */
export type Fate = 'sent' | 'unknown' | 'notSent';

interface Keyed {
	key: string;
	/** Sends also when a message with the key may have been sent before. */
	evenInDoubt: boolean;
	/** Ends waiting for other executions. */
	signal: AbortSignal;
}

interface KeyedSend<T> extends Keyed {
	send: () => Promise<T>;
	fateOf: (result: T) => Fate;
}

/**
 * The memory of Send Once Keys, for one run of the node. Each key has a row of the workflow, whichever node
 * sends it: with one entry from before its message is sent, and with two when it was. If n8n is killed in
 * between, the key stays in doubt.
 */
export class SendOnce {
	private readonly inTurn = new Map<string, Promise<unknown>>();
	private readonly inDoubt = new Set<string>();
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
			for (const key of queue) if ((await this.entriesOf(key)) > 1) sent.add(key);
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
		const entries = await this.entriesOf(key).catch(asFailed);
		if (typeof entries === 'object') return entries;
		if (entries > 1 || this.shown.has(key)) return undefined;
		if (entries === 1 && !evenInDoubt) return { failure: keyInDoubt() };
		this.shown.add(key);
		return show();
	}

	/** A message with the key did not reach the customer. */
	async free(key: string): Promise<void> {
		await this.orNote(async (rows) => await rows.remove(rowOf(key)));
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
		const owner = newOwner();
		const claimed = await this.claim(message, owner).catch(asFailed);
		if (claimed !== 'ours') return claimed === 'sent' ? undefined : claimed;
		const result = await send();
		const fate = fateOf(result);
		if (fate === 'sent') await this.orNote(async (rows) => await rows.end(rowOf(key), owner));
		if (fate === 'unknown') this.inDoubt.add(key);
		if (fate === 'notSent') await this.free(key);
		return result;
	}

	private async claim(message: Keyed, owner: string): Promise<'ours' | 'sent' | Failed> {
		const row = rowOf(message.key);
		for (;;) {
			const entries = await this.entriesAtLast(message);
			if (entries > 1) return 'sent';
			if (entries === 1 && !message.evenInDoubt) return { failure: keyInDoubt() };
			const rows = await this.openRows();
			if (entries === 1) await rows.remove(row);
			if (await rows.create(row, owner)) return 'ours';
		}
	}

	/** One entry stays when another execution was killed, or takes too long. */
	private async entriesAtLast({ key, signal }: Keyed): Promise<number> {
		const until = this.clock.ticks() + OTHERS_MS;
		for (;;) {
			const entries = await this.entriesOf(key);
			const isOver = this.inDoubt.has(key) || signal.aborted || this.clock.ticks() >= until;
			if (entries !== 1 || isOver) return entries;
			await pause(this.clock, LOOK_AGAIN_MS, signal);
		}
	}

	private async entriesOf(key: string): Promise<number> {
		return await (await this.openRows()).count(rowOf(key));
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
function rowOf(key: string): string {
	const digest = createHash('sha256').update(key).digest().subarray(0, 16);
	return `once:${digest.toString('base64url')}`;
}

function asFailed(error: unknown): Failed {
	return { failure: failureFromInput(memoryProblem(error), 'send') };
}
