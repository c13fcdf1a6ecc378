import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { allOptions } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import type { FailureOutcome } from '../../../nodes/BusinessMessaging/errors/failure';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { triggerFields } from '../../../nodes/BusinessMessaging/events/fields';
import { INPUT_CODES } from '../../../nodes/BusinessMessaging/inputError';
import { API_KEYS, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.mts';
import { captured, codeSpans, headings, tableOf } from './markdown.mts';
import { manifest, readJson } from './project.mts';

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

describe('docs/troubleshooting.md', () => {
	it('lists every failure by what it concerns, as its script writes it', () => {
		const { status } = spawnSync(process.execPath, ['scripts/troubleshooting.mjs', '--check']);
		expect(status).toBe(0);
	});

	it('quotes what the nodes say', () => {
		const sources = globSync('nodes/**/*.ts').map((file) => readFileSync(file, 'utf8'));
		const said = tableOf('docs/troubleshooting.md', 'Symptom').flatMap(([, says]) =>
			says.split(/ ?[…,] ?/).filter(Boolean),
		);
		expect(said.length).toBeGreaterThan(3);
		expect(said.filter((text) => !sources.some((source) => source.includes(text)))).toEqual([]);
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
});
