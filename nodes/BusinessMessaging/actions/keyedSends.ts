/**
 * Why nothing was sent: `sentBefore`, a message with the key was; `outcomeUnknown`, one may have been, by
 * a run that is still sending it, was killed, or got no answer.
 */
export type Skipped = 'sentBefore' | 'outcomeUnknown';

/** `notSent`: the key may be used again. */
export type Fate = 'sent' | 'unknown' | 'notSent';

/** Messages by their Send Once Key, across executions, restarts and processes. */
export interface SendOnce {
	/** With which of these keys a message was sent. What it writes to find out is removed again. */
	look: (keys: string[]) => Promise<Set<string>>;
	/**
	 * Sends, unless a message with the key was sent or may have been. The key is recorded before: what is
	 * killed in between stays unsent, and its key known. In one process the second with the same key
	 * waits for what becomes of the first.
	 * @throws when the memory can't be used; nothing was sent then
	 */
	once: <T>(
		key: string,
		send: () => Promise<T>,
		fateOf: (result: T) => Fate,
	) => Promise<T | { skipped: Skipped }>;
	/** The message turned out not to reach the customer. */
	takeBack: (key: string) => Promise<void>;
	/** Writes once more what another process may have undone. Never throws: the messages have gone. */
	close: () => Promise<void>;
}

/** Of one run of the node. */
export interface KeyedSends extends SendOnce {
	/** The keys of its items with which a message was sent before it began. */
	known: ReadonlySet<string>;
	/** Those that a dry run would have sent one with. */
	shown: Set<string>;
}
