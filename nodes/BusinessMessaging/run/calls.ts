import type { IExecuteData, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import type { Rows } from '../memory/rows';
import { internalsOf, type StoredRun, storedRun } from '../n8n';

/** Whether another workflow calls this one. */
export function isCalled(context: IExecuteFunctions): boolean {
	return internalsOf(context).runExecutionData?.parentExecution !== undefined;
}

/** Whether somebody retries the workflow that calls this one. n8n tells it until this execution has waited. */
export function isCalledByRetry(context: IExecuteFunctions): boolean {
	return internalsOf(context).additionalData?.rootExecutionMode === 'retry';
}

/**
 * Whether this call by a Retry may send: if the execution that is retried failed before it called, and only in the
 * first Retry of that which calls. What earlier calls have sent is not known, because their rows went at their own ends.
 */
export async function maySendForRetry(context: IExecuteFunctions, rows: Rows): Promise<boolean> {
	const { id, run } = await retryOf(context, internalsOf(context).runExecutionData ?? {});
	if (run?.executionData?.runtimeData?.establishedAt === undefined) return false;
	const { nodeExecutionStack, runtimeData } = run.executionData;
	const row = `called:${context.getNode().id}:${runtimeData.establishedAt}`;
	// Later on, its Retry may have stored that it called.
	if ((await rows.count(row)) === 0 && mayHaveCalled(run, nodeExecutionStack)) return false;
	return await rows.create(row, id);
}

/** The first one of the executions that call each other. */
async function retryOf(
	context: IExecuteFunctions,
	{ parentExecution }: StoredRun,
): Promise<{ id: string; run?: IRunExecutionData }> {
	const { executionId: id = '' } = parentExecution ?? {};
	const run = await storedRun(context, id);
	return run?.parentExecution ? await retryOf(context, run) : { id, run };
}

/** Of a Retry, as it began: whether its execution may have called a workflow in what is repeated now. */
function mayHaveCalled({ resultData }: IRunExecutionData, [next]: IExecuteData[]): boolean {
	const hasRun = Object.keys(resultData.runData).length > 0;
	return !hasRun || !next || CALLS.test(next.node.type);
}

/** Execute Workflow, and the agents, whose tools call workflows. */
const CALLS = /workflow|agent|tool/i;
