import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';
import { runInNewContext } from 'node:vm';
import {
	countRound,
	recallAsked,
	waitForAnswer,
} from '../../../../nodes/BusinessMessaging/actions/sendAndWait/wait';
import { ASKED } from '../../../support/asked.ts';

function run(origin = 'https://n8n.example.com') {
	const input = [{ json: { approved: true, timedOut: false } }];
	const execution = { data: { main: [input] } } as unknown as IExecuteData;
	const memory: IDataObject = {};
	const waits: Date[] = [];
	const hints: Array<{ message: string }> = [];
	let isSigned = false;
	const context = {
		getContext: (type: string) => (type === 'node' ? memory : {}),
		getExecuteData: () => execution,
		getSignedResumeUrl: () => `${origin}/webhook-waiting/1/2?signature=secret`,
		putExecutionToWait: async (until: Date) => void waits.push(until),
		addExecutionHints: (hint: { message: string }) => hints.push(hint),
		setSignatureValidationRequired: () => {
			isSigned = true;
		},
	} as unknown as IExecuteFunctions;
	return { context, memory, execution, input, waits, hints, isSigned: () => isSigned };
}

// SECURITY, The link of a question: nothing of what came in is handed on
it.each([
	['what n8n outputs at the time limit', ASKED, { timedOut: true }],
	[
		'a review that nobody answered',
		{ ...ASKED, isReview: true },
		{ timedOut: true, approved: false, chatInput: 'Nobody answered in time.' },
	],
])('%s has nothing of the input, and other nodes keep it', async (_, asked, json) => {
	const { context, execution, input, waits, isSigned } = run();
	await waitForAnswer(context, asked);
	expect(execution.data).toEqual({
		main: [[{ json: { ...json, message: ASKED.message }, pairedItem: { item: 0 } }]],
	});
	expect(input).toEqual([{ json: { approved: true, timedOut: false } }]);
	expect(waits).toEqual([new Date(ASKED.until)]);
	expect(isSigned()).toBe(true);
});

it('an n8n without hints and without a switch for signatures waits as well', async () => {
	const { context, waits } = run('http://localhost:5678');
	const unknown = { addExecutionHints: undefined, setSignatureValidationRequired: undefined };
	await waitForAnswer({ ...context, ...unknown } as never, ASKED);
	expect(waits).toEqual([new Date(ASKED.until)]);
});

it('the next question of the execution belongs to another round', async () => {
	const { context } = run();
	expect(countRound(context)).toBe(1);
	await waitForAnswer(context, ASKED);
	expect(countRound(context)).toBe(2);
});

it.each(['Ask', 'Ask "now"', 'Ask }} now', "Ask \\ 'now'"])(
	'the webhook of the node %s finds the stored question by an expression',
	async (name) => {
		const { context, memory } = run();
		await waitForAnswer(context, ASKED);
		const evaluateExpression = (expression: string): unknown => {
			const [, code] = /^\{\{([^}]*)\}\}$/.exec(expression)!;
			return runInNewContext(code, { $node: { [name]: { context: memory } } });
		};
		const webhook = { getNode: () => ({ name }), evaluateExpression };
		expect(recallAsked(webhook as never)).toEqual(ASKED);
	},
);

it('a hint says that no customer can open a private link', async () => {
	const { context, hints } = run('http://n8n:5678');
	await waitForAnswer(context, ASKED);
	expect(hints).toEqual([
		{
			message: expect.stringMatching(/^The link leads to http:\/\/n8n:5678, .*WEBHOOK_URL/),
			type: 'warning',
			location: 'outputPane',
		},
	]);
	expect(hints[0].message).not.toContain('secret');
	const { context: reachable, hints: none } = run();
	await waitForAnswer(reachable, ASKED);
	expect(none).toHaveLength(0);
});
