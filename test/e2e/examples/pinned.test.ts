import { CUSTOMER } from '../../../playground/api/wellKnown.ts';
import { outputOf } from '../../../playground/n8n/rest/executions.ts';
import { EXAMPLES, imported, pinnedItems, STICKY_NOTE, triggerOf } from '../../support/examples.ts';
import { runOnce } from '../../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.ts';

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

/** Nodes below an agent, and those for failed items, which pinned data has none of. */
const idle: Record<string, string[]> = {
	'abandoned-cart': ['Note the problem'],
	'ai-agent': ['Ask a person', 'Chat model', 'Send order update'],
	'answer-bursts': ['Chat model', 'Memory'],
	'ask-and-wait': ['Call them'],
	'ask-and-wait-replies': ['Nobody waits any more'],
	campaign: ['Rows to correct'],
	'campaign-results': ['All messages', 'Count', 'Every morning'],
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
	'one-time-code': [
		'A code is entered',
		'Count the try',
		'Find the phone',
		'Hash of what was entered',
		'Is it right?',
		'Right',
		'Use it up',
		'Wrong',
	],
	'order-updates': ['Note the problem'],
};

/** What n8n's own nodes make of the pinned data. */
const computed: Record<string, Record<string, unknown[]>> = {
	'abandoned-cart': {
		'The next run tries again': [expect.objectContaining({ skipped: 'quietHours' })],
	},
	'alarm-escalation': {
		'Nothing to do': [expect.objectContaining({ to: CUSTOMER })],
		'Say who is missing': [
			{ text: 'Ravi (+12025550161) has not read the alarm: The web shop, payments are refused.' },
		],
	},
	'answer-bursts': {
		'All in one': [
			{
				phone: CUSTOMER,
				text: 'Hi\nI have a question\nabout order A-17\nwhen does it come?',
				written_at: '2026-01-31T12:00:06.000Z',
			},
		],
	},
	'ask-and-wait': {
		'Their answer': [
			{ name: 'Asha', phone: CUSTOMER, answer: 'Yes', written_at: '2026-01-31T12:04:00.000Z' },
		],
	},
	campaign: {
		'Who agreed to offers': ['Asha', 'Meera', 'Jonas', 'Lena'].map((name) =>
			expect.objectContaining({ name, offers: 'yes' }),
		),
		'Who reads what': [
			['+12025550110', 'Asha', 'A-7K2'],
			['+12025550113', 'Jonas', 'A-5R1'],
		].map(([to, name, code]) => ({
			to,
			text: `Hi ${name}, our summer offer is open for you until Friday. Your code: ${code}`,
			price: 0.8631,
		})),
	},
	'form-to-sheets': {
		'The column': [
			{
				message_id: 'msg_5c0d4a0e-0f3b-4a35-9d0e-6f7a2b1c8d91',
				read: '2026-01-31T12:04:00.000Z',
			},
		],
	},
	'many-accounts': {
		'For each branch': [
			{ branch: 'berlin', sent: 1, cost: 0.115, skipped: 0 },
			{ branch: 'pune', sent: 1, cost: 0.115, skipped: 1 },
		],
	},
	'failed-delivery': {
		'Write the email': [
			{
				to: 'meera@example.com',
				subject: 'We could not reach you',
				text: expect.stringMatching(
					/^Hello Meera,\n\n.*\(appointment_reminder\) to \+12025550160,/,
				),
			},
		],
	},
	stop: {
		'STOP or START': [
			{ phone: CUSTOMER, status: 'stopped', since: '2026-01-31T12:00:00.000Z', word: 'Stop!' },
		],
	},
	'sample-events': {
		'What happened': [
			'message.incoming',
			'message.sent',
			'message.delivered',
			'message.read',
			'message.failed',
			'flow.submitted',
			'flow.updated',
		].map((event) => expect.objectContaining({ event })),
	},
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
	for (const [node, output] of Object.entries(computed[name] ?? {})) {
		expect(outputOf(execution, node)).toEqual(output);
	}
});
