import type { IDataObject } from 'n8n-workflow';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { allOptions } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { FAILURES } from '../../../nodes/BusinessMessaging/errors/catalogue';
import type { Outcome } from '../../../nodes/BusinessMessaging/errors/failure';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { triggerFields } from '../../../nodes/BusinessMessaging/events/fields';
import { INPUT_CODES } from '../../../nodes/BusinessMessaging/inputError';
import { readTestRecipient } from '../../../nodes/BusinessMessaging/run/testRecipient';
import { defaultSettings } from '../../../playground/api/settings.mts';
import { API_KEYS, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.mts';
import { documentedItems } from '../../support/documentedItems.mts';
import { execute } from '../../support/executedTrigger.mts';
import { withParameters } from '../../support/parameters.mts';
import { incoming, post, type WebhookRequest } from '../../support/webhookDouble.mts';
import { anchorOf, headings, tableOf, textOf } from './markdown.mts';
import { manifest, readJson } from './project.mts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.mts'),
);

const NODE_FOLDER = 'nodes/BusinessMessaging';
const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'examples/*.md', 'playground/api/*.md']).filter(
	(file) => file !== 'LICENSE.md',
);
const code = (cell: string) => /`([^`]+)`/.exec(cell)?.[1];
const firstOf = (pattern: RegExp, text: string) =>
	[...text.matchAll(pattern)].map(([, first]) => first);

/** Where npm finds the pictures of the README. */
const PUBLISHED = manifest.repository.url.replace(
	/^git\+https:\/\/github\.com\/(.+)\.git$/,
	'https://raw.githubusercontent.com/$1/main/',
);

it.each(DOCUMENTS)('%s names files, headings and npm scripts that exist', (file) => {
	const text = readFileSync(file, 'utf8');
	const links = firstOf(/\]\((?!https?:|mailto:)([^)\s]+)\)/g, textOf(file));
	const pictures = firstOf(/(?:src|srcset)="([^"]+)"/g, text).map((address) =>
		address.replace(PUBLISHED, ''),
	);
	const dead = [...links, ...pictures].filter((link) => {
		const [path, anchor] = link.split('#');
		const target = path ? join(dirname(file), path) : file;
		if (!existsSync(target)) return true;
		return anchor !== undefined && !headings(target).map(anchorOf).includes(anchor);
	});
	expect(dead).toEqual([]);
	const scripts = firstOf(/npm run ([\w:]+)/g, text);
	expect(scripts.filter((name) => !manifest.scripts[name])).toEqual([]);
});

/** A code span with a slash or an ending; commands and patterns such as `*.node.json` are none. */
const PATH = /`((?:\.\w+\/)?\w[\w.-]*(?:(?:\/[\w.-]*)+|\.(?:m?ts|mjs|json|md|txt|yml)))`/g;

it.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s names files and folders that exist', (file) => {
	const named = firstOf(PATH, textOf(file));
	expect(named).not.toEqual([]);
	const exists = (path: string) => existsSync(path) || existsSync(join(NODE_FOLDER, path));
	expect(named.filter((path) => !exists(path))).toEqual([]);
});

describe('promises', () => {
	/** Beside a test: the promise that it keeps, and where it stands: a part of a document, or a page of docs. */
	const PROMISE = /^\s*\/\/ (README|SECURITY), ([^:\n]+): ./gm;
	const ON_A_PAGE = /^\s*\/\/ (docs\/[\w-]+\.md): ./gm;
	const marks = (mark: RegExp) =>
		globSync(['test/**/*.mts', 'scripts/*.mjs']).flatMap((file) =>
			[...readFileSync(file, 'utf8').matchAll(mark)].map((match) => [file, ...match.slice(1)]),
		);

	it('that tests keep stand in documents and parts that exist', () => {
		/** Headings, and the bold lines that head a part; "Top" is the text before them. */
		const partsOf = (document: string) => [
			...['Top', ...headings(`${document}.md`)],
			...firstOf(/^\*\*([^*]+)\*\*$/gm, textOf(`${document}.md`)),
		];
		const [named, paged] = [marks(PROMISE), marks(ON_A_PAGE)];
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter(([, document, part]) => !partsOf(document).includes(part))).toEqual([]);
		expect(paged.length).toBeGreaterThan(20);
		expect(paged.filter(([, page]) => !existsSync(page))).toEqual([]);
	});

	// README, Compatibility: runs in every build
	it.each(['.github/workflows/ci.yml', '.ci/run'])(
		'of end-to-end tests are kept by %s',
		(build) => {
			for (const script of ['npm test', 'npm run e2e', 'npm run e2e:queue']) {
				expect(readFileSync(build, 'utf8')).toMatch(new RegExp(`${script}( --.*)?$`, 'm'));
			}
		},
	);
});

describe('README.md and docs', () => {
	const outcomes: Record<Outcome, true> = { notSent: true, rejected: true, unknown: true };

	it.each([
		['README.md', 'Operation', OPERATIONS.map(({ name }) => name)],
		['README.md', 'Event', EVENTS.map(({ name, value }) => `${name} (\`${value}\`)`)],
		[
			'docs/sending.md',
			'`error.outcome`',
			Object.keys(outcomes).map((outcome) => `\`${outcome}\``),
		],
		['docs/outputs.md', '`error.code`', INPUT_CODES.map((code) => `\`${code}\``)],
		['docs/sending.md', 'Option', allOptions.map(({ displayName }) => displayName)],
		[
			'docs/trigger.md',
			'Option',
			triggerFields
				.flatMap(({ name, options = [] }) => (name === 'options' ? options : []))
				.map((option) => ('displayName' in option ? option.displayName : option.name)),
		],
	])('in %s the table of each %s is complete', (file, column, expected) => {
		const listed = tableOf(file, column).map(([name]) => name);
		expect(listed.sort()).toEqual(expected.sort());
	});

	it('has the responses of the trigger', async () => {
		const listed = tableOf('docs/trigger.md', 'Request').map(([, response, workflow]) => [
			Number(response.slice(0, 3)),
			code(response) ?? 'error',
			workflow === 'runs',
		]);
		expect(listed.sort()).toEqual((await responsesOfTrigger()).sort());
	});

	it('says with which n8n and Node.js the tests run', () => {
		const pinned = (folder: string) =>
			readJson<{ dependencies: { n8n: string } }>(`playground/${folder}/package.json`).dependencies
				.n8n;
		const range = firstOf(/^\t'([\d.]+)': \{/gm, readFileSync('scripts/e2eCore.mjs', 'utf8'));
		const versions = [pinned('n8n'), range.reverse().join(', '), pinned('n8n1')];
		const [major] = manifest.devDependencies.node.split('.');
		const listed = tableOf('README.md', 'n8n').map(([n8n, node]) => [n8n, node]);
		expect(listed).toEqual(versions.map((version) => [version, major]));
	});
});

/** The trigger lets in one address. */
const parameters = { options: { ipAllowlist: '192.0.2.1' } };
const postFromThere = async (body: unknown, request: WebhookRequest = {}, isUnderWay = false) =>
	await post(body, { ip: '192.0.2.1', ...request }, { parameters, isUnderWay });

/** One request for each kind of response: its HTTP status, its `status`, whether the workflow runs. */
async function responsesOfTrigger(): Promise<Array<[number, string, boolean]>> {
	const known = incoming();
	const slow = incoming();
	const unforeseen = {
		get token(): string {
			throw new Error('unforeseen');
		},
	};
	// It is still being stored, so it has no response yet.
	await postFromThere(slow, {}, true);
	const requests: Array<[body: unknown, request?: WebhookRequest]> = [
		[known],
		[known],
		[incoming({ event: 'message.read' })],
		[incoming(), { query: {} }],
		[incoming(), { ip: '203.0.113.7' }],
		[[]],
		[' '.repeat(1024 * 1024 + 1)],
		[incoming(), { query: unforeseen }],
		[slow],
	];
	const responses: Array<[number, string, boolean]> = [];
	for (const [sent, request] of requests) {
		const { status, body, items } = await postFromThere(sent, request);
		await execute(items);
		responses.push([status, (body as { status: string }).status, items !== undefined]);
	}
	return responses;
}

it('the changelog begins with the version of the package', () => {
	const [, newest] = headings('CHANGELOG.md');
	expect(newest.split(' ')[0]).toBe(manifest.version);
});

describe('docs/troubleshooting.md', () => {
	const said = new Map(
		tableOf('docs/troubleshooting.md', 'Symptom').map(([symptom, says]) => [symptom, says]),
	);

	it('has all failures of the node, as the catalogue has them', () => {
		const listed = tableOf('docs/troubleshooting.md', '`error.code`').map(([name]) => code(name));
		expect(listed).toEqual(Object.keys(FAILURES));
		const { status } = spawnSync(process.execPath, ['scripts/troubleshooting.mjs', '--check']);
		expect(status).toBe(0);
	});

	it('has what the node says when n8n does not tell whether a run is by hand', () => {
		const read = () =>
			readTestRecipient(withParameters({}, { getWorkflow: () => ({ id: 'w1' }) }), 'nobody');
		expect(read).toThrow(said.get('Test Recipient'));
	});

	it.each<[string, WebhookRequest]>([
		['the dashboard reports 401', { query: {} }],
		['the dashboard reports 403', { ip: '203.0.113.7' }],
	])('has what the trigger responds: %s', async (symptom, request) => {
		const { status, body } = await postFromThere(incoming(), request);
		expect(symptom).toContain(String(status));
		expect(body).toEqual({ status: 'error', message: said.get(symptom) });
	});

	it('has what the trigger responds to a copy', async () => {
		const [stored, inFlight] = [incoming(), incoming()];
		await execute((await post(stored)).items);
		expect((await post(stored)).body).toEqual({ status: said.get('200, and no workflow runs') });
		await post(inFlight, {}, { isUnderWay: true });
		const message = said.get('the dashboard reports 503');
		expect(await post(inFlight)).toMatchObject({ status: 503, body: { message } });
	});
});

describe('playground/api/README.md', () => {
	const PAGE = 'playground/api/README.md';

	it('lists every key, and every number that behaves with the code that refuses it', () => {
		const keys = tableOf(PAGE, 'Key').flatMap(([key]) => code(key) ?? []);
		expect(keys).toEqual(API_KEYS.map(({ key }) => key));
		const listed = tableOf(PAGE, 'Recipient').map(([number, text]) => [
			code(number),
			/refused with (\d+)/.exec(text)?.[1],
		]);
		const refused = REFUSALS.map(({ recipient, httpStatus, code: network }) => [
			recipient,
			String(httpStatus ?? network),
		]);
		const others = Object.keys(RECIPIENTS).map((recipient) => [recipient, undefined]);
		expect(listed.sort()).toEqual([...others, ...refused].sort());
	});

	it('names settings that exist', () => {
		const listed = tableOf(PAGE, 'Fault').flatMap(([, settings]) =>
			firstOf(/`(\w+)`/g, settings.replace(/\([^)]*\)/g, '')),
		);
		expect(listed.length).toBeGreaterThan(5);
		expect(listed.filter((name) => !(name in defaultSettings()))).toEqual([]);
	});
});

/** The editor offers the fields of these files before a node has run; test/nodes compares docs/outputs.md with real output. */
describe('the output schema', () => {
	interface Schema {
		properties?: Record<string, Schema & { const?: string }>;
	}
	interface ApiDescription {
		components: { schemas: Record<string, Schema> };
		webhooks: Record<string, unknown>;
	}

	const FOLDER = `${NODE_FOLDER}/__schema__`;
	const TRIGGER = `${FOLDER}/v2.0.0.json`;
	const ofOperation = (value: string) => `${FOLDER}/v1.0.0/message/${value}.json`;
	const { components, webhooks } = readJson<ApiDescription>('playground/api/openapi.json');
	const fieldsOf = ({ properties = {} }: Schema = {}) => Object.keys(properties).sort();

	it('exists for every operation and the trigger, and for nothing else', () => {
		const files = [TRIGGER, ...OPERATIONS.map(({ value }) => ofOperation(value))];
		expect(globSync(`${FOLDER}/**/*.json`).sort()).toEqual(files.sort());
	});

	it.each([
		['sendTemplate', 'SentMessage', ['preview', 'sentBefore']],
		['getStatus', 'StatusRecord', []],
	])("of %s has the API's fields, and ours", (value, name, ours) => {
		const expected = [...fieldsOf(components.schemas[name]), ...ours];
		expect(fieldsOf(readJson<Schema>(ofOperation(value)))).toEqual(expected.sort());
	});

	it('of sendTemplate has the parts of the cost', () => {
		const { cost } = readJson<Schema>(ofOperation('sendTemplate')).properties ?? {};
		expect(fieldsOf(cost)).toEqual(fieldsOf(components.schemas.Cost));
	});

	it.each([
		['Send Template', ofOperation('sendTemplate')],
		['Get Status', ofOperation('getStatus')],
		['Send Template and Wait for Response', ofOperation('sendAndWait')],
		['Business Messaging Trigger', TRIGGER],
	])('has the fields that docs/outputs.md shows for %s', (heading, file) => {
		const [item] = documentedItems(heading);
		expect(fieldsOf(readJson<Schema>(file))).toEqual(expect.arrayContaining(Object.keys(item)));
	});

	it('of the trigger has the documented fields of all events, which the local API describes', async () => {
		const events = EVENTS.map(({ value }) => value).filter((value) => value !== 'other');
		expect(Object.keys(webhooks).sort()).toEqual(events.sort());
		const described = Object.values(components.schemas).flatMap(({ properties = {} }) =>
			properties.event?.const ? fieldsOf(properties.data) : [],
		);
		expect(described).toContain('form_data');
		const trigger = readJson<Schema>(TRIGGER);
		expect(fieldsOf(trigger.properties?.data)).toEqual([...new Set(described)].sort());

		const added: IDataObject[] = [];
		for (const { value: event } of EVENTS) {
			const body = incoming({ event, data: { code: 131049, from: '+12025550110' } });
			added.push(...((await post(body, {}, { parameters: { events: ['*'] } })).items ?? []));
		}
		expect(fieldsOf(trigger)).toEqual([...new Set(added.flatMap(Object.keys))].sort());
	});
});
