import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../result';
import { accountOfStopped } from './account';

/** Letters, digits and underscores; the value may have 255 characters. */
const KEY = 'messages_when_stopped';
const MAX_LENGTH = 255;

interface Progress {
	results: Result[];
	/** Items that are being sent, or wait for their turn. */
	underWay: Iterable<number>;
}

/**
 * Tells what was sent when somebody stops the run. n8n then stores neither output nor error nor hint:
 * what stays is the custom data that the execution has at that moment, and the log. The handlers of n8n's
 * onExecutionFinish() are called after that moment, and before the requests under way have ended.
 */
export function tellWhenStopped(context: IExecuteFunctions, { results, underWay }: Progress) {
	const signal = context.getExecutionCancelSignal();
	const store = () => {
		// Not there in older n8n.
		context.customData?.set(KEY, accountOfStopped(results, underWay).slice(0, MAX_LENGTH));
	};
	signal?.addEventListener('abort', store);
	return {
		/** All requests have ended. */
		end() {
			signal?.removeEventListener('abort', store);
			if (!signal?.aborted) return;
			const { name } = context.getNode();
			const execution = context.getExecutionId();
			context.logger.warn(
				`Execution ${execution} was stopped in "${name}". ${accountOfStopped(results)}`,
			);
		},
	};
}
