import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '../../../playground/api/wellKnown.mts';
import { exampleRuns, send } from '../../support/exampleRuns.mts';
import { changed } from '../../support/examples.mts';
import { postJson } from '../../support/postJson.mts';

const examples = exampleRuns();
const HASHES = ['Hash', 'Hash of what was entered'];

// SECURITY, What is stored: no one-time code
test('one-time-code: a code counts once, a wrong one does not, and no execution is kept', async () => {
	const { n8n } = examples();
	const data = { hmacSecret: randomUUID() };
	const secret = await n8n.client.credentials.save({ name: 'Codes', type: 'crypto', data });
	const crypto = { id: secret.id, name: secret.name };
	const [asking, entering] = [randomUUID(), randomUUID()];
	const example = await examples().ready('one-time-code', ...HASHES);
	const nodes = example.nodes.map((node) =>
		HASHES.includes(node.name) ? { ...node, credentials: { crypto } } : node,
	);
	const asked = changed({ ...example, nodes }, 'A code is asked for', { path: asking });
	const nobody = { phone: 'nobody', code_id: '', code_hash: '', valid_until: '' };
	await examples().fill('One-time codes', [nobody]);
	await examples().fill('Code tries', [{ code_id: 'nothing' }]);
	const { id } = await examples().live(changed(asked, 'A code is entered', { path: entering }));
	const call = async (path: string, body: object) => {
		const response = await postJson(`${n8n.url}/webhook/${path}`, body);
		return (await response.json()) as unknown;
	};
	const ask = async () => {
		expect(await call(asking, { phone: CUSTOMER })).toEqual({ sent: true });
		return examples().calls().sent.at(-1) as { templateVariables: { 1: string } };
	};
	const enter = async (code: string, phone = CUSTOMER) => await call(entering, { phone, code });

	const message = await ask();
	const code = expect.stringMatching(/^\d{6}$/);
	expect(message).toEqual(send(CUSTOMER, 'one_time_code', { 1: code }, 'authentication'));
	const right = message.templateVariables[1];
	const wrong = right === '000000' ? '000001' : '000000';

	expect(await enter(wrong)).toEqual({ verified: false });
	expect(await enter(right, '+12025550111')).toEqual({ verified: false });
	expect(await enter(right)).toEqual({ verified: true });
	expect(await enter(right)).toEqual({ verified: false });

	// Many at once are five tries, too.
	const again = (await ask()).templateVariables[1];
	const tried = async () => (await examples().rows('Code tries')).length;
	const before = await tried();
	const others = Array.from({ length: 20 }, (_, code) => String(code).padStart(6, '0'));
	const tries = others.filter((each) => each !== again);
	const answers = await Promise.all(tries.map(async (each) => await enter(each)));
	expect(answers).toEqual(tries.map(() => ({ verified: false })));
	expect((await tried()) - before).toBe(tries.length);
	expect(await enter(again)).toEqual({ verified: false });
	expect(await n8n.client.executions.count(id)).toBe(0);
});
