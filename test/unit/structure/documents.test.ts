import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { CATEGORIES } from '../../../nodes/BusinessMessaging/api';
import type { Outcome } from '../../../nodes/BusinessMessaging/errors/failure';
import { NETWORK_ERROR_SENTENCES } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import {
	NETWORK_CODES,
	sentenceForResponse,
} from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { readTestRecipient } from '../../../nodes/BusinessMessaging/run/testRecipient';
import { PRICES } from '../../../nodes/BusinessMessaging/template/pricing';
import { defaultSettings } from '../../../playground/api/settings.ts';
import { API_KEYS, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.ts';
import { documentedItems } from '../../support/documentedItems.ts';
import { withParameters } from '../../support/parameters.ts';
import { incoming, post } from '../../support/triggerPost.ts';
import type { Answered, WebhookRequest } from '../../support/webhookDouble.ts';
import { anchorOf, headings, tableOf, textOf } from './markdown.ts';
import { manifest, NODE_FOLDER, nodes, readJson, SCHEMA_FOLDER } from './project.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'examples/*.md']).filter(
	(file) => file !== 'LICENSE.md',
);
const code = (cell: string) => /`([^`]+)`/.exec(cell)?.[1];

describe.each(DOCUMENTS)('%s', (file) => {
	const text = readFileSync(file, 'utf8');

	it('links to files and headings that exist', () => {
		const links = [...textOf(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)];
		const dead = links.filter(([, link]) => {
			const [path, anchor] = link.split('#');
			const target = path ? join(dirname(file), path) : file;
			if (!existsSync(target)) return true;
			return anchor !== undefined && !headings(target).map(anchorOf).includes(anchor);
		});
		expect(dead).toEqual([]);
	});

	it('names npm scripts that exist', () => {
		const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
		expect(named.filter((name) => !manifest.scripts[name])).toEqual([]);
	});

	it('shows pictures that exist', () => {
		const shown = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => path);
		expect(shown.filter((path) => !existsSync(join(dirname(file), path)))).toEqual([]);
	});
});

/** A code span with a slash or an ending; commands and patterns such as `*.node.json` are none. */
const PATH = /`((?:\.\w+\/)?\w[\w.-]*(?:(?:\/[\w.-]*)+|\.(?:ts|mjs|json|md|txt|yml)))`/g;

it.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s names files and folders that exist', (file) => {
	const named = [...textOf(file).matchAll(PATH)].map(([, path]) => path);
	expect(named).not.toEqual([]);
	const places = (path: string) => [path, join(NODE_FOLDER, path)];
	expect(named.filter((path) => !places(path).some((place) => existsSync(place)))).toEqual([]);
});

describe('promises', () => {
	/** Beside a test: the document and the part whose promise the test keeps, and which promise. */
	const PROMISE = /^\s*\/\/ (README|SECURITY), ([^:\n]+): ./gm;
	const parts: Record<string, string[]> = {
		README: partsOf('README.md'),
		SECURITY: partsOf('SECURITY.md'),
	};

	/** Headings, and the bold lines that head a part; "Top" is the text before them. */
	function partsOf(file: string): string[] {
		const bold = [...textOf(file).matchAll(/^\*\*([^*]+)\*\*$/gm)].map(([, part]) => part);
		return ['Top', ...headings(file), ...bold];
	}

	it('that tests keep stand in parts that their documents have', () => {
		const named = globSync(['test/**/*.ts', 'scripts/*.mjs']).flatMap((file) =>
			[...readFileSync(file, 'utf8').matchAll(PROMISE)].map((match) => [file, ...match.slice(1)]),
		);
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter(([, document, part]) => !parts[document].includes(part))).toEqual([]);
	});

	// README, Compatibility: runs in every build
	it('of end-to-end tests are kept by every build', () => {
		for (const build of ['.github/workflows/ci.yml', '.ci/run']) {
			const commands = readFileSync(build, 'utf8');
			for (const script of ['npm test', 'npm run e2e', 'npm run e2e:queue']) {
				expect(commands).toMatch(new RegExp(`${script}( --.*)?$`, 'm'));
			}
		}
	});
});

describe('README.md', () => {
	it('lists every operation', () => {
		const listed = tableOf('README.md', 'Operation').map(([name]) => name);
		expect(listed.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
	});

	it('lists every event, by its name in the editor and its value', () => {
		const listed = tableOf('README.md', 'Event').map(([event]) => event);
		expect(listed.sort()).toEqual(EVENTS.map(({ name, value }) => `${name} (\`${value}\`)`).sort());
	});

	it('explains every outcome of a failed item', () => {
		const outcomes: Record<Outcome, true> = { notSent: true, rejected: true, unknown: true };
		const listed = tableOf('README.md', '`error.outcome`').map(([outcome]) => code(outcome));
		expect(listed.sort()).toEqual(Object.keys(outcomes).sort());
	});

	it('has the responses of the trigger', async () => {
		const listed = tableOf('README.md', 'Request').map(([, response, workflow]) => [
			Number(response.slice(0, 3)),
			code(response) ?? 'error',
			workflow === 'runs',
		]);
		expect(listed.sort()).toEqual((await responsesOfTrigger()).sort());
	});

	it('says with which n8n and Node.js the tests run', () => {
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
});

/** One request for each kind of response: its HTTP status, its `status`, whether the workflow runs. */
async function responsesOfTrigger(): Promise<Array<[number, string, boolean]>> {
	const parameters = { options: { ipAllowlist: '192.0.2.1' } };
	const known = incoming();
	const slow = incoming();
	const unforeseen = {
		get token(): string {
			throw new Error('unforeseen');
		},
	};
	const requests: Array<[body: unknown, request?: WebhookRequest, isUnderWay?: boolean]> = [
		[known],
		[known],
		[incoming({ event: 'message.read' })],
		[incoming(), { query: {} }],
		[incoming(), { ip: '203.0.113.7' }],
		[[]],
		[' '.repeat(1024 * 1024 + 1)],
		[incoming(), { query: unforeseen }],
		[slow, {}, true],
		[slow],
	];
	const answered: Answered[] = [];
	for (const [body, request, isUnderWay] of requests) {
		answered.push(await post(body, { ip: '192.0.2.1', ...request }, { parameters, isUnderWay }));
	}
	// The last but one is still being stored, so it has no response yet.
	answered.splice(-2, 1);
	return answered.map(({ status, body, items }) => [
		status,
		(body as { status: string }).status,
		items !== undefined,
	]);
}

it('the changelog begins with the version of the package', () => {
	const [, newest] = headings('CHANGELOG.md');
	expect(newest.split(' ')[0]).toBe(manifest.version);
});

it.each(CATEGORIES)('the editor says the price of %s that estimates use', (category) => {
	const fields = nodes.flatMap(([, { properties }]) => properties);
	const options = fields.find(({ name }) => name === 'category')?.options as INodePropertyOptions[];
	const price = PRICES[category];
	expect(options.find(({ value }) => value === category)?.description).toMatch(
		price === 0 ? /\(free\)$/ : new RegExp(`\\(INR ${price}\\)$`),
	);
});

describe('docs/troubleshooting.md', () => {
	const said = new Map(
		tableOf('docs/troubleshooting.md', 'Symptom').map(([symptom, says]) => [symptom, says]),
	);
	/** As the API itself responds. */
	const headers = { 'x-ratelimit-remaining': '1' };

	it('has the sentence of each code of the messaging network', () => {
		const sentences = Object.entries(NETWORK_CODES).map(([code, { message }]) => [code, message]);
		expect(Object.fromEntries(said)).toMatchObject(Object.fromEntries(sentences));
	});

	it.each([
		['the node reports 401', 401, {}],
		['the node reports 403', 403, {}],
		['429', 429, {}],
		['a web page', 404, '<!doctype html><html></html>'],
	])('has what the node says: %s', (symptom, status, body) => {
		const { message } = sentenceForResponse({ status, headers, body });
		expect(said.get(symptom)).toBe(message);
	});

	it('has what the node says when the API does not respond', () => {
		expect(said.get('outcome `unknown`')).toBe(NETWORK_ERROR_SENTENCES.timeout.message);
	});

	it('has what the node says when n8n does not tell whether a run is by hand', () => {
		const read = () => readTestRecipient(withParameters({}), 'nobody');
		expect(read).toThrow(said.get('Test Recipient'));
	});

	it.each<[string, WebhookRequest]>([
		['the dashboard reports 401', { query: {} }],
		['the dashboard reports 403', { ip: '203.0.113.7' }],
	])('has what the trigger responds: %s', async (symptom, request) => {
		const parameters = { options: { ipAllowlist: '192.0.2.1' } };
		const answered = await post(incoming(), { ip: '192.0.2.1', ...request }, { parameters });
		expect(symptom).toContain(String(answered.status));
		expect(answered.body).toEqual({ status: 'error', message: said.get(symptom) });
	});

	it('has what the trigger responds to a copy', async () => {
		const [stored, inFlight] = [incoming(), incoming()];
		await post(stored);
		expect((await post(stored)).body).toEqual({ status: said.get('200, and no workflow runs') });
		await post(inFlight, {}, { isUnderWay: true });
		const message = said.get('the dashboard reports 503');
		expect(await post(inFlight)).toMatchObject({ status: 503, body: { message } });
	});
});

describe('docs/local-api.md', () => {
	const PAGE = 'docs/local-api.md';

	it('lists every key', () => {
		const listed = tableOf(PAGE, 'Key').flatMap(([key]) => code(key) ?? []);
		expect(listed).toEqual(API_KEYS.map(({ key }) => key));
	});

	it('lists every number that behaves, and the code that refuses it', () => {
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

	it('names settings that exist, in its table and in its command', () => {
		const listed = tableOf(PAGE, 'Fault').flatMap(([, settings]) =>
			[...settings.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
		);
		const [, body] = /-d '([^']+)'/.exec(readFileSync(PAGE, 'utf8')) ?? [];
		const named = [...listed, ...Object.keys(JSON.parse(body) as object)];
		expect(named.length).toBeGreaterThan(5);
		expect(named.filter((name) => !(name in defaultSettings()))).toEqual([]);
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

	const TRIGGER_FILE = 'v2.0.0';
	const operationFile = (value: string) => `v1.0.0/message/${value}`;
	const schemaOf = (file: string) => readJson<Schema>(`${SCHEMA_FOLDER}/${file}.json`);
	const { components, webhooks } = readJson<ApiDescription>('playground/api/openapi.json');
	const fieldsOf = ({ properties = {} }: Schema = {}) => Object.keys(properties).sort();

	it('exists for every operation and the trigger, and for nothing else', () => {
		const files = [TRIGGER_FILE, ...OPERATIONS.map(({ value }) => operationFile(value))];
		const expected = files.map((file) => join(SCHEMA_FOLDER, `${file}.json`));
		expect(globSync(`${SCHEMA_FOLDER}/**/*.json`).sort()).toEqual(expected.sort());
	});

	it.each([
		['sendTemplate', 'SentMessage', ['preview']],
		['getStatus', 'StatusRecord', []],
	])("of %s has the API's fields, and ours", (value, name, ours) => {
		const expected = [...fieldsOf(components.schemas[name]), ...ours];
		expect(fieldsOf(schemaOf(operationFile(value)))).toEqual(expected.sort());
	});

	it('of sendTemplate has the parts of the cost', () => {
		const { cost } = schemaOf(operationFile('sendTemplate')).properties ?? {};
		expect(fieldsOf(cost)).toEqual(fieldsOf(components.schemas.Cost));
	});

	it.each([
		['Send Template', operationFile('sendTemplate')],
		['Get Status', operationFile('getStatus')],
		['Send Template and Wait for Response', operationFile('sendAndWait')],
		['Business Messaging Trigger', TRIGGER_FILE],
	])('has the fields that docs/outputs.md shows for %s', (heading, file) => {
		const [item] = documentedItems(heading);
		expect(fieldsOf(schemaOf(file))).toEqual(expect.arrayContaining(Object.keys(item)));
	});

	it('of the trigger has the documented fields of all events, which the local API describes', async () => {
		const events = EVENTS.map(({ value }) => value).filter((value) => value !== 'other');
		expect(Object.keys(webhooks).sort()).toEqual(events.sort());
		const described = Object.values(components.schemas).filter(
			({ properties }) => properties?.event?.const,
		);
		const documented = described.flatMap(({ properties }) => fieldsOf(properties?.data));
		expect(documented).toContain('form_data');
		const trigger = schemaOf(TRIGGER_FILE);
		expect(fieldsOf(trigger.properties?.data)).toEqual([...new Set(documented)].sort());

		const added: IDataObject[] = [];
		for (const event of EVENTS) {
			const data = { code: 131047, from: '+12025550110' };
			const parameters = { events: ['*'] };
			const { items } = await post(
				{ ...incoming({ data }), event: event.value },
				{},
				{ parameters },
			);
			added.push(...(items ?? []));
		}
		expect(fieldsOf(trigger)).toEqual([...new Set(added.flatMap(Object.keys))].sort());
	});
});
