import type { IExecuteFunctions } from 'n8n-workflow';

/** "instance_ai" is n8n's assistant, which tries a workflow out in the mode of its trigger: n8n stores only that it did. */
const BY_HAND = ['manual', 'evaluation', 'instance_ai'];
const IN_PRODUCTION = ['webhook', 'trigger', 'cli', 'chat'];
const KEY = 'runByHand';

/** What n8n writes down when a run begins. `source` is its mode, and stays through a Retry. */
interface Beginning {
	source?: string;
	parentExecutionId?: string;
}

/** What n8n keeps of a run. Its types lack most of this, and its older versions some. */
interface Run {
	executionData?: { runtimeData?: Beginning };
	/** The run that called this sub-workflow, or whose failure started this error workflow. */
	parentExecution?: { executionId?: string; executionContext?: Beginning };
	manualData?: { source?: string };
}

/** What a node's context has besides its interface. */
interface Inside {
	runExecutionData?: Run;
	/** The mode of the first of the runs that call each other, until one of them has waited. */
	additionalData?: { rootExecutionMode?: string };
}

/**
 * Whether somebody tries the workflow out, in the editor or as an evaluation. A sub-workflow, an
 * error workflow and a Retry do as the run that they come from.
 * @returns undefined when n8n does not tell
 */
export async function isRunByHand(context: IExecuteFunctions): Promise<boolean | undefined> {
	const { runExecutionData, additionalData } = context as Inside;
	const runtimeData = context.getExecutionContext?.();
	const run = { ...runExecutionData, executionData: { runtimeData } };
	const modes = [context.getMode(), additionalData?.rootExecutionMode];
	const told = await cameByHand(context, run, modes);
	const memory = context.getContext('node');
	// Older n8n does not tell what a Retry repeats.
	if (told === undefined) return memory[KEY] as boolean | undefined;
	memory[KEY] = told;
	return told;
}

/** Goes from a run to the one that it comes from: a run that was called has no mode of its own. */
async function cameByHand(
	context: IExecuteFunctions,
	{ executionData, parentExecution, manualData }: Run,
	known: Array<string | undefined> = [],
): Promise<boolean | undefined> {
	const { source, parentExecutionId } = executionData?.runtimeData ?? {};
	const { executionContext, executionId = parentExecutionId } = parentExecution ?? {};
	const modes = [...known, manualData?.source, source, executionContext?.source];
	const isAmong = (these: string[]) => modes.some((mode) => mode && these.includes(mode));
	if (isAmong(BY_HAND)) return true;
	const told = isAmong(IN_PRODUCTION) ? false : undefined;
	// The failure of a trigger has no run.
	if (executionId === undefined) return source === 'error' ? false : told;
	const caller = await storedRun(context, executionId);
	if (!caller) return told;
	// While a run is under way, n8n has not stored how it began.
	const runtimeData = caller.executionData?.runtimeData ?? executionContext;
	return (await cameByHand(context, { ...caller, executionData: { runtimeData } })) ?? told;
}

async function storedRun(context: IExecuteFunctions, id: string): Promise<Run | undefined> {
	try {
		return await context.getExecutionDataById(id);
	} catch {
		// Deleted, or not to be read in this n8n.
		return undefined;
	}
}
