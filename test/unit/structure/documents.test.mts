import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { readTestMessages } from '../../../nodes/BusinessMessaging/actions/options/testRecipient';
import { allOptions } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { FAILURES } from '../../../nodes/BusinessMessaging/errors/catalogue';
import type { FailureOutcome } from '../../../nodes/BusinessMessaging/errors/failure';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { triggerFields } from '../../../nodes/BusinessMessaging/events/fields';
import { INPUT_CODES } from '../../../nodes/BusinessMessaging/inputError';
import { defaultSettings } from '../../../playground/api/settings.mts';
import { API_KEYS, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.mts';
import { execute } from '../../support/executedTrigger.mts';
import { withParameters } from '../../support/parameters.mts';
import {
	incoming,
	post,
	type Answered,
	type WebhookRequest,
} from '../../support/webhookDouble.mts';
import { captured, codeSpans, headings, tableOf } from './markdown.mts';
import { manifest, readJson } from './project.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const codeIn = (cell: string): string | undefined => codeSpans(cell)[0];
const inBackticks = (names: readonly string[]) => names.map((name) => `\`${name}\``);

describe('the table in', () => {
	const outcomes: Record<FailureOutcome, true> = { notSent: true, rejected: true, unknown: true };
	const optionsOfTrigger = triggerFields.flatMap(({ name, options = [] }) =>
		name === 'options' ? options : [],
	);

	it.each([
		['README.md', 'Operation', OPERATIONS.map(({ name }) => name)],
		['README.md', 'Event', EVENTS.map(({ name, value }) => `${name} (\`${value}\`)`)],
		['docs/sending.md', '`error.outcome`', inBackticks(Object.keys(outcomes))],
		['docs/sending.md', 'Option', allOptions.map(({ displayName }) => displayName)],
		['docs/outputs.md', '`error.code`', inBackticks(INPUT_CODES)],
		[
			'docs/trigger.md',
			'Option',
			optionsOfTrigger.map((option) =>
				'displayName' in option ? option.displayName : option.name,
			),
		],
	])('%s lists every %s of the nodes, and no other', (file, column, names) => {
		const listed = tableOf(file, column).map(([name]) => name);
		expect(listed.sort()).toEqual(names.sort());
	});
});

it('README.md names the versions of n8n and Node.js that the end-to-end tests run with', () => {
	const pinned = (folder: string) =>
		readJson<{ dependencies: { n8n: string } }>(`playground/${folder}/package.json`).dependencies
			.n8n;
	/** The keys of its RANGE, the oldest first. */
	const range = captured(readFileSync('scripts/e2eCore.mjs', 'utf8'), /^\t'([\d.]+)': \{/gm);
	const versions = [pinned('n8n'), range.reverse().join(', '), pinned('n8n1')];
	const [major] = manifest.devDependencies.node.split('.');
	const listed = tableOf('README.md', 'n8n').map(([n8n, node]) => [n8n, node]);
	expect(listed).toEqual(versions.map((version) => [version, major]));
});

it('the changelog begins with the version of the package', () => {
	const [, newest] = headings('CHANGELOG.md');
	expect(newest.split(' ')[0]).toBe(manifest.version);
});

/** A request to a trigger that lets in one address, and the execution that it starts. */
async function receive(body: unknown, request: WebhookRequest = {}): Promise<Answered> {
	const parameters = { options: { ipAllowlist: '192.0.2.1' } };
	const answered = await post(body, { ip: '192.0.2.1', ...request }, { parameters });
	await execute(answered.items);
	return answered;
}

/** The requests that docs/trigger.md lists, in its words. */
const REQUESTS: Record<string, () => Promise<Answered>> = {
	'a chosen event': async () => await receive(incoming()),
	'an event that is not chosen': async () => await receive(incoming({ event: 'message.read' })),
	'an event that was delivered before': async () => {
		const event = incoming();
		await receive(event);
		return await receive(event);
	},
	'a wrong or missing token': async () => await receive(incoming(), { query: {} }),
	'an address that is not allowed': async () => await receive(incoming(), { ip: '203.0.113.7' }),
	'something that is not an event': async () => await receive([]),
	'over 1 MiB': async () => await receive(' '.repeat(1024 * 1024 + 1)),
	'something went wrong in n8n': async () => {
		const query = {
			get token(): string {
				throw new Error('unforeseen');
			},
		};
		return await receive(incoming(), { query });
	},
};

it('docs/trigger.md lists every kind of request, what the trigger responds, and whether a workflow runs', async () => {
	const listed = tableOf('docs/trigger.md', 'Request').map(([request, response, workflow]) => {
		const status = codeIn(response) ?? 'error';
		return { request, httpStatus: parseInt(response), status, runs: workflow === 'runs' };
	});
	const seen = [];
	for (const [request, send] of Object.entries(REQUESTS)) {
		const { status: httpStatus, body, items } = await send();
		const { status } = body as { status: string };
		seen.push({ request, httpStatus, status, runs: items !== undefined });
	}
	expect(listed).toEqual(seen);
});

describe('docs/troubleshooting.md', () => {
	const symptoms = tableOf('docs/troubleshooting.md', 'Symptom');
	const saidFor = (symptom: string) => symptoms.find(([name]) => name === symptom)?.[1];

	it('lists every failure by what it concerns, as its script writes it', () => {
		const [list] = captured(
			readFileSync('docs/troubleshooting.md', 'utf8'),
			/<!-- failures: .* -->([^]*?)<!-- \/failures -->/g,
		);
		expect(codeSpans(list).sort()).toEqual(Object.keys(FAILURES).sort());
		const { status } = spawnSync(process.execPath, ['scripts/troubleshooting.mjs', '--check']);
		expect(status).toBe(0);
	});

	it('quotes what the node says when n8n does not tell whether a run is manual', () => {
		const read = () =>
			readTestMessages(withParameters({}, { getWorkflow: () => ({ id: 'w1' }) }), 'nobody');
		expect(read).toThrow(saidFor('Test Recipient'));
	});

	it.each([
		['the dashboard reports 401', 'a wrong or missing token'],
		['the dashboard reports 403', 'an address that is not allowed'],
	])('quotes the message of the response when %s: %s', async (symptom, request) => {
		const { status, body } = await REQUESTS[request]();
		expect(symptom).toContain(String(status));
		expect(body).toEqual({ status: 'error', message: saidFor(symptom) });
	});

	it('quotes the status of the response to a duplicate', async () => {
		const { status, body } = await REQUESTS['an event that was delivered before']();
		expect(status).toBe(200);
		expect(body).toEqual({ status: saidFor('200, and no workflow runs') });
	});
});

describe('playground/api/README.md', () => {
	const PAGE = 'playground/api/README.md';

	it('lists every key of the local API', () => {
		const keys = tableOf(PAGE, 'Key').map(([key]) => codeIn(key));
		expect(keys).toEqual(API_KEYS.map(({ key }) => key));
	});

	it('lists every number that behaves, and the code that refuses it', () => {
		const listed = tableOf(PAGE, 'Recipient').map(([number, becomes]) => {
			const [refusedWith] = captured(becomes, /refused with (\d+)/g);
			return [codeIn(number), refusedWith];
		});
		const refused = REFUSALS.map(({ recipient, httpStatus, code }) => [
			recipient,
			String(httpStatus ?? code),
		]);
		const others = Object.keys(RECIPIENTS).map((recipient) => [recipient, undefined]);
		expect(listed.sort()).toEqual([...others, ...refused].sort());
	});

	it('names settings that exist for each fault', () => {
		const withoutRemarks = (cell: string) => cell.replace(/\([^)]*\)/g, '');
		const isName = (span: string) => /^\w+$/.test(span);
		const named = tableOf(PAGE, 'Fault').flatMap(([, setting]) =>
			codeSpans(withoutRemarks(setting)).filter(isName),
		);
		expect(named.length).toBeGreaterThan(5);
		expect(named.filter((name) => !(name in defaultSettings()))).toEqual([]);
	});
});
