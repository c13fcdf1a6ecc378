import { eventually } from '../../playground/eventually.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';

const NODE = 'Business Messaging';
const DAY_MS = 24 * 3_600_000;

const file = accountOfFile('Tomorrow');

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
): WorkflowNode => ({
	id: name,
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	position: [0, 0],
	parameters: { ...parameters },
});
const to = (...names: string[]) => ({
	main: names.map((name) => (name ? [{ node: name, type: 'main', index: 0 }] : [])),
});

// docs/sending.md: what the network holds back
test('a Wait node on sendAfter waits until tomorrow for what the network held back, and for nothing else', async () => {
	const { n8n, credential } = file;
	const rows = ['+12025550149', '+12025550150', '+12025550126', '+12025550110'];
	const sending = sendingEach(
		credential,
		rows.map((each) => ({ to: each })),
		{},
		{ onError: 'continueErrorOutput' },
	);
	const conditions = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
		conditions: [
			{
				id: 'c',
				leftValue: '={{ $json.error.sendAfter }}',
				rightValue: '',
				operator: { type: 'string', operation: 'notEmpty', singleValue: true },
			},
		],
		combinator: 'and',
	};
	const until = { resume: 'specificTime', dateTime: '={{ $json.error.sendAfter }}' };
	const { id } = await n8n.client.workflows.save({
		...sending,
		nodes: [
			...sending.nodes,
			node('Later?', 'if', 2.2, { conditions }),
			node('Tomorrow', 'wait', 1.1, until),
			node('Never', 'noOp', 1, {}),
		],
		connections: {
			...sending.connections,
			[NODE]: to('', '', 'Later?'),
			'Later?': to('Tomorrow', 'Never'),
		},
	});
	const startedAt = Date.now();
	await n8n.client.workflows.run(id, 'Start');
	const execution = await eventually('the execution to wait', async () => {
		const [newest] = await n8n.client.executions.list(id, 1);
		return newest?.status === 'waiting' ? newest : undefined;
	});
	expect(outputOf(execution, 'Later?')).toMatchObject([
		{ to: rows[0], error: { code: 'networkHeldBack', retryable: true } },
	]);
	expect(outputOf(execution, 'Never')).toMatchObject([
		{ to: rows[1], error: { code: 'customerOptedOut', retryable: false } },
		{ to: rows[2], error: { code: 'notOnNetwork' } },
	]);
	const waitMs = Date.parse(String(execution.waitTill)) - startedAt;
	expect(waitMs).toBeGreaterThanOrEqual(DAY_MS);
	expect(waitMs).toBeLessThan(DAY_MS + 60_000);
});
