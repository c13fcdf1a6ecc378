import { readFileSync } from 'node:fs';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions';
import type { Outcome } from '../../../nodes/BusinessMessaging/errors/failure';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { callWebhook, SECRET } from '../../support/webhookDouble.ts';
import type { Answered, WebhookRequest } from '../../support/webhookDouble.ts';
import { incomingEvent } from '../../support/webhookEvents.ts';
import { headings, tableOf } from './markdown.ts';
import { manifest, readJson } from './project.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

const code = (cell: string) => /`([^`]+)`/.exec(cell)?.[1];

it('the README lists every operation', () => {
	const listed = tableOf('README.md', 'Operation').map(([name]) => name);
	expect(listed.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

it('the README lists every event, by its name in the editor and its value', () => {
	const listed = tableOf('README.md', 'Event').map(([event]) => event);
	expect(listed.sort()).toEqual(EVENTS.map(({ name, value }) => `${name} (\`${value}\`)`).sort());
});

it('the README explains every outcome of a failed item', () => {
	const outcomes: Record<Outcome, true> = { notSent: true, rejected: true, unknown: true };
	const listed = tableOf('README.md', '`error.outcome`').map(([outcome]) => code(outcome));
	expect(listed.sort()).toEqual(Object.keys(outcomes).sort());
});

it('the README has the answers that the trigger gives', async () => {
	const listed = tableOf('README.md', 'Request').map(([, answer, workflow]) => [
		Number(answer.slice(0, 3)),
		code(answer) ?? 'error',
		workflow === 'runs',
	]);
	expect(listed.sort()).toEqual((await answersOfTrigger()).sort());
});

const UNFORESEEN: WebhookRequest = {
	query: {
		get token(): string {
			throw new Error('unforeseen');
		},
	},
};

/** One request for each kind of answer: its HTTP status, its `status`, whether the workflow runs. */
async function answersOfTrigger(): Promise<Array<[number, string, boolean]>> {
	const event = (fields: object = {}) =>
		Buffer.from(JSON.stringify({ ...incomingEvent(), ...fields }));
	const known = event();
	const requests: WebhookRequest[] = [
		{ rawBody: known },
		{ rawBody: known },
		{ rawBody: event({ event: 'message.read' }) },
		{ rawBody: event(), query: {} },
		{ rawBody: event(), ip: '203.0.113.7' },
		{ rawBody: Buffer.from('[]') },
		{ rawBody: Buffer.alloc(1024 * 1024 + 1) },
		UNFORESEEN,
	];
	const call = async (request: WebhookRequest, isUnderWay = false) =>
		await callWebhook(
			{ query: { token: SECRET }, ip: '192.0.2.1', ...request },
			{
				isUnderWay,
				parameters: { events: ['message.incoming'], options: { ipAllowlist: '192.0.2.1' } },
			},
		);
	const answers: Answered[] = [];
	for (const request of requests) answers.push(await call(request));

	const slow = { rawBody: event() };
	await call(slow, true);
	answers.push(await call(slow));

	return answers.map(({ status, body, items }) => [
		status,
		(body as { status: string }).status,
		items !== undefined,
	]);
}

it('the README says with which n8n and Node.js the tests run', () => {
	const [major] = manifest.devDependencies.node.split('.');
	const [newest, last1x] = ['n8n', 'n8n1'].map((folder) => {
		const path = `playground/${folder}/package.json`;
		return readJson<{ dependencies: { n8n: string } }>(path).dependencies.n8n;
	});
	const script = readFileSync('scripts/e2eCore.mjs', 'utf8');
	const range = [...script.matchAll(/^\t'([\d.]+)': \{/gm)].map(([, version]) => version);
	expect(range.length).toBeGreaterThan(2);
	const listed = tableOf('README.md', 'n8n').map(([n8n, node]) => [n8n, node]);
	const expected = [newest, range.reverse().join(', '), last1x];
	expect(listed).toEqual(expected.map((version) => [version, major]));
});

it('the changelog begins with the version of the package', () => {
	const [, newest] = headings('CHANGELOG.md');
	expect(newest.split(' ')[0]).toBe(manifest.version);
});
