import { chain } from '../../playground/n8n/chain.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Business Messaging';
const [ONE, TWO] = ['+12025550110', '+12025550111'];
const file = accountOfFile('Missing parts');

async function run(workflow: Workflow, node = NODE) {
	const execution = await runOnce(file.n8n, workflow);
	const [{ error, hints = [] }] = execution.data.resultData.runData[node];
	const told = hints.map(({ message }) => message).join();
	return { execution, told, refused: `${error?.message}. ${error?.description}` };
}

const FIELDS = { variablesInput: 'templateText', templateText: 'Hi {{1}}!' };

// docs/sending.md: what the check catches, in n8n's own expressions
test.each([
	['=Hi {{ $json.nothing }}', 'is only "Hi", because its expressions give nothing'],
	['=Total {{ $json.price.toFixed(2) }}', 'is only "Total", because'],
	['={{ "Hi " + null }}', 'has "null" in it'],
	['=Size {{ $json.cell }}', 'has "#N/A" in it'],
	['=Hi {{1}}', 'has the expression {{1}}, which is only a number'],
])('%s is not sent', async (variable1, problem) => {
	const items = [{ to: ONE, cell: '#N/A' }];
	const { refused } = await run(sendingEach(file.credential, items, { ...FIELDS, variable1 }));
	expect(refused).toContain(`The variable {{1}} ("Hi {{1}}!") ${problem}`);
	expect(file.api.calls).toEqual([]);
});

// docs/sending.md: a part that gives nothing beside others
test('what an expression beside others does not give is counted above the output', async () => {
	const items = [
		{ to: ONE, first: 'Asha' },
		{ to: TWO, first: 'Ben', last: 'Lee' },
	];
	const variable1 = '={{ $json.first }} {{ $json.last.trim() }}';
	const { told } = await run(sendingEach(file.credential, items, { ...FIELDS, variable1 }));
	expect(told).toMatch(
		/^2 messages sent.* gave nothing: in \{\{1\}\} \("Hi \{\{1\}\}!"\) of 1 item\.$/,
	);
	expect([...file.api.messages.values()].map((sent) => sent.templateVariables)).toEqual([
		{ 1: expect.stringMatching(/^Asha ?$/) },
		{ 1: 'Ben Lee' },
	]);
});

// docs/sending.md: what may be meant as a placeholder
test('a text with %s is told of, and sent', async () => {
	const text = { variablesInput: 'none', templateText: 'Hi %s!' };
	const before = file.api.calls.length;
	const { told } = await run(sendingEach(file.credential, [{ to: ONE }], text));
	expect(told).toMatch(/^1 message sent.* has %s, which is not a placeholder/);
	expect(file.api.calls).toHaveLength(before + 1);
});

// docs/outputs.md: Get Status behind messages that were not sent
test('Get Status looks up what was sent, and what a dry run skips does not reach it', async () => {
	const { credential } = file;
	const credentials = { [CREDENTIAL]: { id: credential.id, name: credential.name } };
	const parameters = {
		resource: 'message',
		operation: 'sendTemplate',
		to: '={{ $json.to }}',
		templateName: 'order_update',
		variablesInput: 'none',
		options: { dryRun: '={{ $json.dry === true }}', sendOnceKey: '={{ $json.key }}' },
	};
	const lookUp = {
		resource: 'message',
		operation: 'getStatus',
		messageId: '={{ $json.message_id }}',
	};
	const workflow = chain('Missing parts: Get Status', {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		Send: { type: ACTION, parameters, credentials },
		[NODE]: { type: ACTION, parameters: lookUp, credentials },
	});
	const rows = [
		{ to: ONE, key: 'a' },
		{ to: ONE, key: 'a' },
		{ to: TWO, key: 'b', dry: true },
	];
	const { execution, told } = await run({
		...workflow,
		pinData: { Start: rows.map((json) => ({ json })) },
	});
	const [sent, before] = outputOf(execution, 'Send');
	expect(before).toMatchObject({ sentBefore: true });
	expect(outputOf(execution, 'Send', 1)).toMatchObject([{ skipped: 'dryRun' }]);
	expect(outputOf(execution, NODE)).toEqual([
		expect.objectContaining({ message_id: sent.message_id, cost: 0.115 }),
		before,
	]);
	expect(told).toContain('1 item passed through, because it has no message ID');
});
