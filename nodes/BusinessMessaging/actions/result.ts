import type { IDataObject } from 'n8n-workflow';

import type { Failed } from '../errors/failure';
import type { AwaitedStatus } from '../transport/waitFor';
import type { Asked } from './question';

/** What became of one item. */
export type Result = ({ json: IDataObject } | Failed) & {
	/** The message went out, now or in an earlier try of the node; its price as the API gave it. */
	sent?: { messageId?: string; cost?: number; currency?: string };
	/** What a look-up or a wait saw last. */
	seen?: Seen;
	/** Line breaks, tabs or many spaces in its values were replaced. */
	tidied?: boolean;
	/** What in its template text may be meant as a placeholder, such as {1}. */
	almostPlaceholder?: string;
	/** The workflow waits for its answer. */
	asked?: Asked;
	/** Why nothing was sent for it: a message with its Send Once Key was. */
	skipped?: 'sentBefore';
	/** A dry run: the message would go out for this price. */
	estimate?: number;
	/** The result after a wait, which keeps no other item from being sent. */
	later?: Promise<Result>;
};

export interface Seen {
	status: string;
	/** What was waited for, in vain when `timedOut`; `problem` is why the last look-up failed. */
	wait?: { awaited: AwaitedStatus; timedOut: boolean; timeoutMs: number; problem?: string };
}

/** Whether nobody knows if its message went. */
export function isUnknown(result: Result): boolean {
	return 'failure' in result && result.failure.outcome === 'unknown';
}
