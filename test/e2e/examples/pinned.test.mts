import { outputOf } from '../../../playground/n8n/rest/executions.mts';
import {
	EXAMPLES,
	imported,
	pinnedItems,
	STICKY_NOTE,
	triggerOf,
} from '../../support/examples.mts';
import { runOnce } from '../../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.mts';

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

/** Nodes below an agent, and those for failed and skipped items, which pinned data has none of. */
const idle: Record<string, string[]> = {
	'abandoned-cart': ['Note the problem', 'The next run tries again'],
	'agent-reply': ['Ask a person', 'Chat model', 'Tell beyond the budget', 'Tell who wrote'],
	'ai-agent': ['Ask a person', 'Chat model', 'Send order update'],
	'answer-bursts': ['Chat model', 'Memory'],
	'ask-and-wait': ['Call them'],
	'ask-and-wait-replies': ['Nobody waits any more'],
	campaign: ['Not sent', 'Rows to correct'],
	'form-to-sheets': ['Note the problem'],
	'hand-over': [
		'A person answers',
		'Answer',
		'Find the conversation',
		'Hand back',
		'Is it done?',
		'Remember the time',
		'Send their answer',
		'Tell the person',
	],
	'appointment-reminder': ['To be called'],
	'many-accounts': ['What went wrong'],
	'message-log': [
		'All events',
		'All messages',
		'Count',
		'Every month',
		'Keep the event',
		'Mail the sums',
		'Something happened',
	],
	'one-time-code': [
		'A code is entered',
		'Find the phone',
		'Hash of what was entered',
		'Is it right?',
		'Note the try',
		'Right',
		'Tries of this code',
		'Use it up',
		'Wrong',
	],
	'mcp-server': ['Send order update'],
	'order-updates': [
		'May it go out later?',
		'Note that it was sent',
		'Note the problem',
		'Until tomorrow',
	],
	stop: ['Keep their word', 'Make their table once', 'Tell a person'],
};

test.each(EXAMPLES)('%s runs to its end as it is imported, without an account', async (name) => {
	const workflow = await imported(name);
	const execution = await runOnce(n8n, workflow, triggerOf(workflow));
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');

	const { runData } = execution.data.resultData;
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY_NOTE);
	const silent = nodes.map((node) => node.name).filter((node) => !(node in runData));
	expect(silent.sort()).toEqual(idle[name] ?? []);
	for (const node of Object.keys(runData).filter((each) => workflow.pinData?.[each])) {
		expect(outputOf(execution, node)).toEqual(pinnedItems(workflow, node));
	}
});
