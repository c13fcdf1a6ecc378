import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { countRound } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/asked';
import { waitForAnswer } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/wait';
import { ASKED } from '../../../support/asked.ts';

function run(origin = 'https://n8n.example.com') {
	const input = [{ json: { approved: true, timedOut: false } }];
	const execution = { data: { main: [input] } } as unknown as IExecuteData;
	const memory: IDataObject = {};
	const waits: Date[] = [];
	const hints: string[] = [];
	let isSigned = false;
	const context = {
		getContext: (type: string) => (type === 'node' ? memory : {}),
		getExecuteData: () => execution,
		getSignedResumeUrl: () => `${origin}/webhook-waiting/1/2`,
		putExecutionToWait: async (until: Date) => void waits.push(until),
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		setSignatureValidationRequired: () => {
			isSigned = true;
		},
	} as unknown as IExecuteFunctions;
	return { context, execution, input, waits, hints, isSigned: () => isSigned };
}

// SECURITY, The link of a question: nothing of what came in is handed on
it('at the end of the time nothing of the input leaves, and other nodes keep it', async () => {
	const { context, execution, input, waits } = run();
	await waitForAnswer(context, ASKED);
	expect(execution.data).toEqual({
		main: [[{ json: { timedOut: true, message: ASKED.message }, pairedItem: { item: 0 } }]],
	});
	expect(input).toEqual([{ json: { approved: true, timedOut: false } }]);
	expect(waits).toEqual([new Date(ASKED.until)]);
});

it('n8n 1.x is told to check the link', async () => {
	const { context, isSigned } = run();
	await waitForAnswer(context, ASKED);
	expect(isSigned()).toBe(true);
});

it('an n8n that knows neither hints nor that check waits all the same', async () => {
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

it.each([
	['https://n8n.example.com', 0],
	['http://localhost:5678', 1],
])('a link to %s is worth %i hints', async (origin, count) => {
	const { context, hints } = run(origin);
	await waitForAnswer(context, ASKED);
	expect(hints).toHaveLength(count);
});
