import type { IDataObject } from 'n8n-workflow';

import { readQuestion } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/question';
import { withParameters } from '../../../support/parameters.ts';
import { refusal } from '../../../support/refusal.ts';

const REVIEW = 'n8n-nodes-business-messaging.businessMessagingHitlTool';
const TOOL = { parameters: { to: '+12025550110', count: 2, list: ['a'] } };

interface Node {
	type?: string;
	$tool?: object;
	/** By path: how a parameter was entered. */
	entered?: IDataObject;
}

function read(parameters: IDataObject, { type = 'node', $tool, entered }: Node = {}) {
	const more = { getNode: () => ({ type }), getWorkflowDataProxy: () => ({ $tool }) };
	return readQuestion(withParameters(parameters, more, entered));
}

const values = (...labels: unknown[]) => ({
	message: 'When?',
	responseType: 'answers',
	'answers.values': labels.map((label) => ({ label })),
});
const approval = (options: IDataObject) => ({
	message: 'May we?',
	'approvalOptions.values': options,
});

it.each<[string, IDataObject, object]>([
	[
		'both buttons and a reason by default',
		{ message: ' May we? ' },
		{ kind: 'approval', text: 'May we?', choices: ['Approve', 'Decline'], asksReason: true },
	],
	[
		'one button, and no reason to decline',
		approval({ approvalType: 'single', approveLabel: 'OK' }),
		{ choices: ['OK'], asksReason: false },
	],
	[
		'own labels',
		approval({ approveLabel: 'Ja', disapproveLabel: 'Nein', askReason: false }),
		{ choices: ['Ja', 'Nein'], asksReason: false },
	],
	[
		'up to five answers of up to 80 characters, and no reason',
		values('a'.repeat(80), 'b', 'c', 'd', 5),
		{ kind: 'answers', choices: ['a'.repeat(80), 'b', 'c', 'd', '5'], asksReason: false },
	],
	[
		'a text, of a type in capitals',
		{ message: 'Why?', responseType: 'FREETEXT' },
		{ kind: 'freeText', choices: [], asksReason: false },
	],
])('a question has %s', (_, parameters, expected) => {
	expect(read(parameters)).toMatchObject(expected);
});

it.each<[string, IDataObject]>([
	['Message is empty', { message: null }],
	['There are 0 answers', values()],
	['There are 6 answers', values('a', 'b', 'c', 'd', 'e', 'f')],
	['Answer 2 is empty', values('a', ' ')],
	['Two buttons say "a"', values('a', 'a')],
	['Answer 1 has 81 characters', values('a'.repeat(81))],
	['Two buttons say "Approve"', approval({ disapproveLabel: 'Approve' })],
	['Ask for a Reason is "perhaps"', approval({ askReason: 'perhaps' })],
	['Type of Approval is "triple"', approval({ approvalType: 'triple' })],
	['Response Type is "customForm"', { message: 'a', responseType: 'customForm' }],
])('a question is refused, with what to do: %s', (sentence, parameters) => {
	expect(refusal(() => read(parameters))).toMatch(new RegExp(`^${sentence}.*\\. [A-Z].+\\.$`));
});

const EXPRESSION = '={{ "Order " + $json.number }}';
const decline = 'approvalOptions.values.disapproveLabel';

it.each<[string, IDataObject, string]>([
	['Message has "undefined"', { message: 'Is order undefined yours?' }, 'message'],
	['Answer 2 has "NaN"', values('Yes', 'Order NaN'), 'answers.values[1].label'],
	['Decline Button Label has "undefined"', approval({ disapproveLabel: 'undefined' }), decline],
])('what an expression left is refused, and sent if it was typed: %s', (sentence, given, path) => {
	expect(() => read(given, { entered: { [path]: EXPRESSION } })).toThrow(`${sentence} in it`);
	expect(() => read(given)).not.toThrow();
});

describe('as Human review of a tool', () => {
	it("shows the tool's parameters where n8n's own message shows none", () => {
		const message = 'Run Send?\n\n[object Object]';
		expect(read({ message }, { type: REVIEW, $tool: TOOL }).text).toBe(
			'Run Send?\n\nto: +12025550110\ncount: 2\nlist: ["a"]',
		);
		const noParameters = () => read({ message }, { type: REVIEW, $tool: { name: 'Send' } });
		expect(noParameters).toThrow('Message has [object Object]');
		expect(() => read({ message })).toThrow('Message has [object Object]');
	});

	it('shows also what is not there, because the reviewer decides about that', () => {
		const message = 'Run Send to undefined?';
		const node = { type: REVIEW, $tool: TOOL, entered: { message: EXPRESSION } };
		expect(read({ message }, node).text).toBe(message);
	});
});
