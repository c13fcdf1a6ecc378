import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

const BY_HAND: Array<WorkflowExecuteMode | undefined> = ['manual', 'evaluation'];
const KEY = 'runByHand';

/** Not in n8n's types: the mode of the execution that called this sub-workflow, or its callers. */
interface CalledContext {
	additionalData?: { rootExecutionMode?: WorkflowExecuteMode };
}

/**
 * Whether somebody tries the workflow out in the editor, or evaluates it: also in a sub-workflow that
 * such a run calls (of which n8n 1.x does not tell), and in a Retry of such a run.
 */
export function isRunByHand(context: IExecuteFunctions): boolean {
	const modes = [
		context.getMode(),
		// A Retry keeps the source of the run that it repeats; older n8n has none.
		context.getExecutionContext?.()?.source,
		(context as CalledContext).additionalData?.rootExecutionMode,
	];
	return modes.some((mode) => BY_HAND.includes(mode)) || context.getContext('node')[KEY] === true;
}

/** For a Retry in an n8n that does not tell what it repeats. */
export function rememberRunByHand(context: IExecuteFunctions): void {
	context.getContext('node')[KEY] = true;
}
