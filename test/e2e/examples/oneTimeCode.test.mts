import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { fillDataTable } from '../../support/dataTable.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed } from '../../support/examples.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();

// SECURITY, What is stored: no one-time code
test('one-time-code: a code counts once, a wrong one does not, and no execution is kept', async () => {
	const { n8n } = examples();
	const paths = { 'A code is asked for': randomUUID(), 'A code is entered': randomUUID() };
	const workflow = Object.entries(paths).reduce(
		(example, [node, path]) => changed(example, node, { path }),
		await examples().ready('one-time-code'),
	);
	await fillDataTable(n8n, 'One-time codes', [
		{ phone: 'nobody', code_hash: '', valid_until: '', tries: '' },
	]);
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
	expect(await n8n.client.executions.count(id)).toBe(0);
});
