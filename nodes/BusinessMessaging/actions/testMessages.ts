import type { NodeContext } from '../layouts';

/**
 * The messages of a manual run, which go to the test recipient. There are few of them, because each has its price.
 * It counts items, whatever becomes of their messages: so Retry On Fail tries the same items again.
 */
export class TestMessages {
	/** Counts, by round of a loop. */
	private readonly rounds: Record<number, number>;
	private left: number;

	/**
	 * @param recipient E.164
	 * @param most in one execution
	 * @param context of the node, which n8n stores with the execution
	 */
	constructor(
		readonly recipient: string,
		most: number,
		private readonly context: NodeContext,
		private readonly runIndex: number,
	) {
		this.rounds = { ...(context.testedItems as Record<number, number> | undefined), [runIndex]: 0 };
		this.left = Object.values(this.rounds).reduce((left, count) => left - count, most);
	}

	/** Whether the recipient gets no more messages in this execution. */
	get areOver(): boolean {
		return this.left <= 0;
	}

	/** An item was read, and can be sent. */
	count(): void {
		if (this.areOver) return;
		this.left--;
		this.rounds[this.runIndex]++;
		this.context.testedItems = this.rounds;
	}
}
