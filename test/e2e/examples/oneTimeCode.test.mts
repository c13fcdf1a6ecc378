import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import type { Workflow } from '../../../playground/n8n/rest/workflows.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed } from '../../support/examples.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();

const HASHES = ['Hash', 'Hash of what was entered'];

function withHmacSecret(workflow: Workflow, { id, name }: { id: string; name: string }): Workflow {
	const credentials = { crypto: { id, name } };
	const nodes = workflow.nodes.map((node) =>
		HASHES.includes(node.name) ? { ...node, credentials } : node,
	);
	return { ...workflow, nodes };
}

// SECURITY, What is stored: no one-time code
test('one-time-code: a code counts once, a wrong one does not, and no execution is kept', async () => {
	const { n8n } = examples();
	const secret = await n8n.client.credentials.save({
		name: 'Codes',
		type: 'crypto',
		data: { hmacSecret: randomUUID() },
	});
	const paths = { 'A code is asked for': randomUUID(), 'A code is entered': randomUUID() };
	const workflow = Object.entries(paths).reduce(
		(example, [node, path]) => changed(example, node, { path }),
		withHmacSecret(await examples().ready('one-time-code', ...HASHES), secret),
	);
	await fillDataTable(n8n, 'One-time codes', [
		{ phone: 'nobody', code_id: '', code_hash: '', valid_until: '' },
	]);
	const { rows } = await fillDataTable(n8n, 'Code tries', [{ code_id: 'nothing' }]);
	const { id } = await examples().live(workflow);
	const call = async (node: keyof typeof paths, body: object) => {
		const response = await postJson(`${n8n.url}/webhook/${paths[node]}`, body);
		return (await response.json()) as unknown;
	};
	const enter = async (code: string, phone = CUSTOMER) =>
		await call('A code is entered', { phone, code });

	expect(await call('A code is asked for', { phone: CUSTOMER })).toEqual({ sent: true });
	const code = expect.stringMatching(/^\d{6}$/);
	const [message] = examples().calls().sent as Array<{ templateVariables: { 1: string } }>;
	expect(message).toEqual(send(CUSTOMER, 'one_time_code', { 1: code }, 'authentication'));
	const right = message.templateVariables[1];
	const wrong = right === '000000' ? '000001' : '000000';

	expect(await enter(wrong)).toEqual({ verified: false });
	expect(await enter(right, '+12025550111')).toEqual({ verified: false });
	expect(await enter(right)).toEqual({ verified: true });
	expect(await enter(right)).toEqual({ verified: false });

	// Many at once are five tries, too.
	expect(await call('A code is asked for', { phone: CUSTOMER })).toEqual({ sent: true });
	const before = (await rows()).length;
	const again = (examples().calls().sent.at(-1) as typeof message).templateVariables[1];
	const others = Array.from({ length: 20 }, (_, code) => String(code).padStart(6, '0'));
	const tries = others.filter((each) => each !== again);
	const answers = await Promise.all(tries.map(async (each) => await enter(each)));
	expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
		new Set(['{"verified":false}']),
	);
	expect((await rows()).length - before).toBe(tries.length);
	expect(await enter(again)).toEqual({ verified: false });
	expect(await n8n.client.executions.count(id)).toBe(0);
});
