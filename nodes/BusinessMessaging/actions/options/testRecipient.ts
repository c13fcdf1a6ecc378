import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { InputError, NOTHING_SENT } from '../../inputError';
import type { NodeContext } from '../../layouts';
import {
	contextOf,
	hasWorkflow,
	isInChatHub,
	internalsOf,
	runIndexOf,
	type RunStart,
	storedRun,
	type StoredRun,
} from '../../n8n';
import { enteredAt, EXPERT_OPTIONS, readNumber } from '../../parameters';
import { readRecipient } from '../../template/phoneNumber';
import { readsItem } from '../../template/reads';
import { expressionsIn } from '../../template/textChecks';
import { hasOption } from '../fields';
import { type Policy, skipped, type Step } from '../sendTemplate/sending';
import { defaultCountryField, readDefaultCountry } from './defaultCountry';
import { messageNow } from './dryRun';

export const testRecipientField = {
	displayName: 'Test Recipient',
	name: 'testRecipient',
	type: 'string',
	default: '',
	placeholder: 'e.g. +14155552671',
	description:
		'Your own number, to which manual runs send, also from sub-workflows. It gets the first 3 messages of each execution, or as many as you enter in Test Messages under Expert Options. Production runs ignore it. If n8n gives no sign how a run was started, nothing is sent. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

export const testMessagesField = {
	displayName: 'Test Messages',
	name: 'testMessages',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 3,
	description:
		'How many messages the Test Recipient gets from a manual run, in all rounds of a loop together; a sub-workflow counts anew each time it is called. The other items are checked, and leave as skipped. The value of the first item applies to all items.',
} as const satisfies INodeProperties;

/** Who gets the messages of a run. `nobody`: n8n does not tell whether the run is by hand. */
export type Audience = 'customers' | 'testRecipient' | 'nobody';

/** Does not depend on the value of the test recipient, which is checked later. */
export async function findAudience(context: IExecuteFunctions): Promise<Audience> {
	if (!hasOption(context, testRecipientField)) return 'customers';
	const { runExecutionData = {}, additionalData } = internalsOf(context);
	const mode = context.getMode();
	const root = additionalData?.rootExecutionMode;
	const byHand =
		mode === 'chat'
			? isInChatHub(context)
			: await cameByHand(context, runExecutionData, context.getExecutionContext(), mode, root);
	if (byHand === undefined) return 'nobody';
	return byHand ? 'testRecipient' : 'customers';
}

/**
 * The messages that go to the test recipient; undefined when the customers get them.
 * @throws InputError when nothing may be sent to anybody
 */
export function readTestMessages(
	context: IExecuteFunctions,
	audience: Audience,
): TestMessages | undefined {
	if (audience === 'customers') return undefined;
	if (audience === 'nobody') {
		if (!hasWorkflow(context)) {
			throw new InputError(
				"Test Recipient can't be used in n8n's own Agents, because they do not tell a test from a real conversation",
				`${NOTHING_SENT} Remove the option to send to the customers. To test, put this node into a workflow, and let the agent call that workflow as its tool.`,
			);
		}
		throw new InputError(
			'Test Recipient is set, but n8n gives no sign whether this run is manual',
			`${NOTHING_SENT} To send to the customers, remove Test Recipient under Options. To try this workflow out, run it in the editor, not from another workflow.`,
		);
	}
	const { name, default: unset } = testMessagesField;
	const given = context.getNodeParameter(`${EXPERT_OPTIONS.name}.${name}`, 0, unset);
	const most = readNumber(given, testMessagesField);
	const recipient = readTestRecipient(context);
	return new TestMessages(recipient, Math.floor(most), contextOf(context), runIndexOf(context));
}

/** E.164 */
function readTestRecipient(context: IExecuteFunctions): string {
	const path = `options.${testRecipientField.name}`;
	const reading = expressionsIn(enteredAt(context, 0, path)).find(readsItem);
	if (reading !== undefined) {
		throw new InputError(
			`The expression ${reading} in Test Recipient reads the item, so the first customer could get all messages`,
			"Enter your own number, or an expression that is the same for all items, such as {{ $('Settings').first().json.phone }}.",
		);
	}
	const given = context.getNodeParameter(`options.${defaultCountryField.name}`, 0, '');
	const country = readDefaultCountry(given, context, 0);
	return readRecipient(
		context.getNodeParameter(path, 0),
		country,
		'Test Recipient of the first item',
	);
}

/** "instance_ai" is n8n's assistant. It tries a workflow out in the mode of its trigger, and n8n stores only that it did. */
const BY_HAND = ['manual', 'evaluation', 'instance_ai'];
const IN_PRODUCTION = ['webhook', 'trigger', 'cli'];

/**
 * Whether somebody tries the workflow out, in the editor or as an evaluation. A sub-workflow, an error workflow and
 * a Retry count as the run that started them. So it follows a run to its caller.
 * @returns undefined when n8n does not tell
 */
async function cameByHand(
	context: IExecuteFunctions,
	{ parentExecution, manualData }: StoredRun,
	{ source, parentExecutionId }: RunStart = {},
	...known: Array<string | undefined>
): Promise<boolean | undefined> {
	const { executionContext, executionId = parentExecutionId } = parentExecution ?? {};
	const modes = [...known, manualData?.source, source, executionContext?.source];
	const isAmong = (these: string[]) => these.some((mode) => modes.includes(mode));
	if (isAmong(BY_HAND)) return true;
	const told = isAmong(IN_PRODUCTION) ? false : undefined;
	// The failure of a trigger has no run.
	if (executionId === undefined) return source === 'error' ? false : told;
	const caller = await storedRun(context, executionId);
	if (!caller) return told;
	// While a run is in progress, n8n has not stored how it began.
	const beginning = caller.executionData?.runtimeData ?? executionContext;
	return (await cameByHand(context, caller, beginning)) ?? told;
}

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

/** Test Messages: the test recipient of a manual run gets so many. Further items show what would be sent. */
export const withinTest: Step = {
	policy: ({ isBeyondTest }) => {
		if (!isBeyondTest) return undefined;
		const skip: Policy['send'] = () => async (sending) => {
			const { json, estimate } = messageNow(sending);
			return await Promise.resolve({ ...skipped('onlyTested', json), estimate });
		};
		return { send: skip, show: skip };
	},
};
