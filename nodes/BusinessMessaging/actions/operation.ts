import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Job } from './job';
import type { TestMessages } from './options/testRecipient';

/** What the parameter `operation` can be. */
export type OperationName = 'getStatus' | 'sendTemplate' | 'sendAndWait';

/** One operation of the action node. */
export interface Operation {
	fields: INodeProperties[];
	/** Whether it sends messages. A failed look-up must not be reported as `notSent`. */
	sends: boolean;
	/** Whether it has an output for skipped items. */
	skips?: true;
	/** What must hold for the run as a whole. @throws InputError */
	checkRun?: (context: IExecuteFunctions) => void;
	/**
	 * Reads and checks everything of one item.
	 * @param now epoch ms
	 * @param test its recipient gets the message in place of the customer
	 * @throws InputError
	 */
	read: (context: IExecuteFunctions, itemIndex: number, now: number, test?: TestMessages) => Job;
}
