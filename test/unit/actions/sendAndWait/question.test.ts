import type { IDataObject } from 'n8n-workflow';

import { readQuestion } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/question';
import { withParameters } from '../../../support/parameters.ts';

const REVIEW = 'n8n-nodes-business-messaging.businessMessagingHitlTool';

function read(
	parameters: IDataObject,
	type = 'businessMessaging',
	$tool?: object,
	entered?: IDataObject,
) {
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
		'up to five answers of up to 80 characters',
		values('a'.repeat(80), 'b', 'c', 'd', 5),
		{ choices: ['a'.repeat(80), 'b', 'c', 'd', '5'] },
	],
	['two answers, and no reason', values('a', 'b'), { choices: ['a', 'b'], asksReason: false }],
	[
		'a text',
		{ message: 'Why?', responseType: 'freeText' },
		{ kind: 'freeText', choices: [], asksReason: false },
	],
	['a type in capitals', { message: 'Why?', responseType: 'FREETEXT' }, { kind: 'freeText' }],
])('a question has %s', (_, parameters, expected) => {
	expect(read(parameters)).toMatchObject(expected);
});

it.each<[string, IDataObject, string]>([
	['no message', {}, 'Message is empty'],
	['null for a question', { message: null }, 'Message is empty'],
	['an object for a question', { message: 'Do [object Object]?' }, 'Message has [object Object]'],
	['no answers', values(), 'There are 0 answers'],
	['six answers', values('a', 'b', 'c', 'd', 'e', 'f'), 'There are 6 answers'],
	['an empty answer', values('a', ' '), 'Answer 2 is empty'],
	['an answer twice', values('a', 'a'), 'Two buttons say "a"'],
	['a long answer', values('a'.repeat(81)), 'Answer 1 has 81 characters'],
	['one text for both buttons', approval({ disapproveLabel: 'Approve' }), 'Two buttons say'],
	['an unclear switch', approval({ askReason: 'perhaps' }), 'Ask for a Reason is "perhaps"'],
	['another type of approval', approval({ approvalType: 'triple' }), 'Type of Approval is "tr'],
	['another type of response', { message: 'a', responseType: 'customForm' }, 'Response Type is'],
])('a question with %s is refused', (_, parameters, sentence) => {
	expect(() => read(parameters)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining(sentence),
			remedy: expect.stringMatching(/^[A-Z].+\.$/),
		}),
	);
});

const EXPRESSION = '={{ "Order " + $json.number }}';

it.each<[IDataObject, string, string]>([
	[{ message: 'Is order undefined yours?' }, 'message', 'Message has "undefined" in it'],
	[values('Yes', 'Order null NaN'), 'answers.values[1].label', 'Answer 2 has "NaN" in it'],
	[
		approval({ disapproveLabel: 'undefined' }),
		'approvalOptions.values.disapproveLabel',
		'Decline Button Label has "undefined" in it',
	],
])(
	'what an expression left in %j is refused, if it is an expression',
	(parameters, path, sentence) => {
		const readLeftover = () => read(parameters, undefined, undefined, { [path]: EXPRESSION });
		expect(readLeftover).toThrow(sentence);
		expect(() => read(parameters)).not.toThrow();
	},
);

describe('as Human review of a tool', () => {
	const $tool = { name: 'Send', parameters: { to: '+12025550110', count: 2, list: ['a'] } };

	it("shows the tool's parameters where n8n's own message shows none", () => {
		const message = 'Run Send?\n\n[object Object]';
		expect(read({ message }, REVIEW, $tool).text).toBe(
			'Run Send?\n\nto: +12025550110\ncount: 2\nlist: ["a"]',
		);
	});

	it('shows also what is not there, because the reviewer decides about that', () => {
		const message = 'Run Send to undefined?';
		expect(read({ message }, REVIEW, $tool, { message: EXPRESSION }).text).toBe(message);
	});

	it('leaves a message of its own, or of a tool without parameters, as it is', () => {
		expect(read({ message: 'Run it?' }, REVIEW, $tool).text).toBe('Run it?');
		const message = 'Run [object Object]';
		expect(() => read({ message }, REVIEW, { name: 'Send' })).toThrow(
			'Message has [object Object]',
		);
	});
});
