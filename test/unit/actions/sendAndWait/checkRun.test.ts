import type { IExecuteFunctions } from 'n8n-workflow';

import { checkRun } from '../../../../nodes/BusinessMessaging/actions/sendAndWait/checkRun';

function run(
	type: string,
	items: number,
	more: object = { getSignedResumeUrl: () => '' },
	id = '7',
) {
	checkRun({
		...more,
		getExecutionId: () => id,
		getNode: () => ({ type }),
		getMode: () => 'trigger',
		getInputData: () => Array(items).fill({ json: {} }),
	} as unknown as IExecuteFunctions);
}

it.each(['businessMessaging', 'businessMessagingHitlTool'])('%s asks for one item', (type) => {
	expect(() => run(type, 1)).not.toThrow();
});

it.each([
	['businessMessaging', 2, 'one question at a time, but there are 2 items', 'Loop Over Items'],
	['businessMessagingTool', 1, "can't be a tool of an AI agent", 'Human review'],
])('%s with %i items is refused', (type, items, sentence, remedy) => {
	expect(() => run(type, items)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining(sentence),
			remedy: expect.stringContaining(remedy),
		}),
	);
});

it("n8n's engine v2 is refused, which gives executions IDs of another kind", () => {
	const id = '01a205a4-7c32-72c4-8490-177ceebd57d8';
	expect(() => run('businessMessaging', 1, undefined, id)).toThrow(
		expect.objectContaining({
			message: "n8n's engine v2 can't wait for an answer, so the question was not sent",
			remedy: expect.stringContaining('Remove engineType'),
		}),
	);
});

it('an n8n that signs no links is refused', () => {
	expect(() => run('businessMessaging', 1, {})).toThrow(
		expect.objectContaining({
			message: expect.stringMatching(/^This n8n is too old/),
			remedy: 'Update n8n.',
		}),
	);
});
