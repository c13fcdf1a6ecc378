import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';
import {
	countRound,
	recallAsked,
	waitForAnswer,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/wait';
import { ASKED, QUESTION } from '../../../support/asked.mts';

/** A node whose links lead to this address, and what n8n gets from it. */
function nodeAt(origin: string, more: object = {}) {
	const input = [{ json: { approved: true, timedOut: false } }];
	const execution = { data: { main: [input] } } as unknown as IExecuteData;
	const memory: IDataObject = {};
	const putExecutionToWait = jest.fn(async () => undefined);
	const addExecutionHints = jest.fn();
	const setSignatureValidationRequired = jest.fn();
	const context = {
		getWorkflow: () => ({ id: 'w1' }),
		getContext: (type: string) => (type === 'node' ? memory : {}),
		getExecuteData: () => execution,
		getSignedResumeUrl: () => `${origin}/webhook-waiting/1/2?signature=secret`,
		putExecutionToWait,
		addExecutionHints,
		setSignatureValidationRequired,
		...more,
	};
	return { ...context, context: context as unknown as IExecuteFunctions, memory, execution, input };
}

const PUBLIC = 'https://n8n.example.com';

// SECURITY, The link of a question: nothing of what came in is handed on
it.each([
	['what n8n outputs at the time limit', ASKED, { timedOut: true }],
	[
		'a review that nobody answered',
		{ ...ASKED, question: { ...QUESTION, review: { tool: 'Send', values: [], isWhole: true } } },
		{ timedOut: true, approved: false, chatInput: 'Nobody answered in time.' },
	],
])('%s has nothing of the input, and other nodes keep it', async (_, asked, json) => {
	const node = nodeAt(PUBLIC);
	await waitForAnswer(node.context, asked);
	expect(node.execution.data).toEqual({
		main: [[{ json: { ...json, message: ASKED.message }, pairedItem: { item: 0 } }]],
	});
	expect(node.input).toEqual([{ json: { approved: true, timedOut: false } }]);
	expect(node.putExecutionToWait).toHaveBeenCalledWith(new Date(ASKED.until));
	expect(node.setSignatureValidationRequired).toHaveBeenCalled();
	expect(node.addExecutionHints).not.toHaveBeenCalled();
});

it('an n8n without a switch for signatures waits as well', async () => {
	const { context, putExecutionToWait } = nodeAt(PUBLIC, {
		setSignatureValidationRequired: undefined,
	});
	await waitForAnswer(context, ASKED);
	expect(putExecutionToWait).toHaveBeenCalled();
});

it('the webhook finds the question of this version only, and the next one is another round', async () => {
	const { context, memory } = nodeAt(PUBLIC);
	expect(countRound(context)).toBe(1);
	await waitForAnswer(context, ASKED);
	const evaluateExpression = (expression: string): unknown =>
		runInNewContext(expression.slice(2, -2), { $node: { Ask: { context: memory } } });
	const webhook = { getNode: () => ({ name: 'Ask' }), evaluateExpression };
	expect(recallAsked(webhook as never)).toEqual(ASKED);
	expect(countRound(context)).toBe(2);
	memory.layout = 2;
	expect(() => recallAsked(webhook as never)).toThrow('asked by another version');
});

it('a hint says that no customer can open a private link', async () => {
	const { context, addExecutionHints } = nodeAt('http://n8n:5678');
	await waitForAnswer(context, ASKED);
	const [[{ message, ...hint }]] = addExecutionHints.mock.calls as Array<[{ message: string }]>;
	expect(message).toMatch(/^The link leads to http:\/\/n8n:5678, .*WEBHOOK_URL/);
	expect(message).not.toContain('secret');
	expect(hint).toEqual({ type: 'warning', location: 'outputPane' });
});
