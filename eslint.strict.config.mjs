import js from '@eslint/js';
import { config as n8nRules } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const PRODUCT = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const BROWSER = [
	'document',
	'location',
	'history',
	'fetch',
	'EventSource',
	'FormData',
	'URL',
	'URLSearchParams',
	'setTimeout',
];

const NODES = 'nodes/BusinessMessaging';

/** Every part may use these files, so they import nothing but each other. */
const BASE = [
	'values.ts',
	'api.ts',
	'clock.ts',
	'layouts.ts',
	'n8n.ts',
	'inputError.ts',
	'renamed.ts',
	'webhookSecret.ts',
];
const READERS = [...BASE, 'parameters.ts', 'errors', 'template', 'memory', 'bundled'];
/** Each part of the nodes, the parts that it may import, and why no others. The two `*.node.ts` may import all. */
const ARROWS = [
	[[...BASE, 'bundled'], [], 'Every part uses this file, so it must not depend on one of them.'],
	[['template'], [...BASE, 'bundled'], 'Pure text work: it can be tested without n8n and HTTP.'],
	[['parameters.ts'], [...BASE, 'template'], 'Both nodes read parameters with it.'],
	[['errors'], BASE, 'Errors are described in one place, which must not cause any.'],
	[['outcome.ts'], [...BASE, 'errors'], 'Says what became of a message, not how.'],
	[
		['memory'],
		[...BASE, 'errors', 'outcome.ts'],
		'Knows rows and keys, so that it fits messages and events alike.',
	],
	[['transport'], [...BASE, 'errors', 'bundled'], 'Knows HTTP, and not which operation sends.'],
	[
		['actions'],
		[...READERS, 'outcome.ts', 'transport'],
		'Knows one item: what concerns all items is in run.',
	],
	[['run'], [...READERS, 'outcome.ts', 'transport', 'actions'], 'Sends, and the trigger does not.'],
	[['events'], READERS, 'The trigger receives: it sends no request, and needs no API key.'],
];

const layers = [
	...ARROWS.map(([places, allowed, message]) => ({
		target: places.map((place) => `${NODES}/${place}`),
		from: NODES,
		except: [...places, ...allowed].map((place) => `./${place}`),
		message,
	})),
	{
		target: ['playground', 'test/playground', 'test/e2e', 'test/queue', 'test/screenshots'],
		from: ['nodes', 'credentials'],
		message: 'Use the packed package.',
	},
	{
		target: 'scripts',
		from: 'nodes',
		// The table of failures in the documents is written from it.
		except: ['./BusinessMessaging/errors/catalogue.ts'],
		message: 'Use the packed package.',
	},
	{ target: 'scripts', from: 'credentials', message: 'Use the packed package.' },
	{
		target: ['nodes', 'credentials', 'playground'],
		from: ['test', 'bench'],
		message: 'Only tests and benchmarks use these files.',
	},
];

/** Where n8n calls, and where a process keeps something for as long as it lives, the clock is taken and passed on. */
const OPENS_THE_CLOCK = ['*.node', 'events/access', 'events/duplicates'];
const restricted = (message, selectors) => selectors.map((selector) => ({ selector, message }));
const READS_TIME = restricted('Take the clock that is passed in.', [
	'MemberExpression[object.name=/^(Date|performance)$/][property.name="now"]',
	'MemberExpression[object.name="process"][property.name=/^(hrtime|uptime)$/]',
	'NewExpression[callee.name="Date"][arguments.length=0]',
	'CallExpression[callee.name=/^(Date|setTimeout|setInterval|setImmediate)$/]',
	'ImportSpecifier[imported.name=/^sleep/]',
]);
const TAKES_SYSTEM_CLOCK = restricted(
	'Take the clock that is passed in; only files that n8n calls take it.',
	['ImportSpecifier[imported.name="systemClock"]'],
);
const FAKES_TIME = restricted(
	'Pass test/support/virtualClock.mts in, or put fastClock.mts in place of clock.ts.',
	[
		'MemberExpression[object.name="jest"][property.name="useFakeTimers"]',
		'CallExpression[callee.property.name="spyOn"][arguments.0.name=/^(Date|performance|systemClock)$/]',
		'CallExpression[callee.property.name="mock"][arguments.0.value="n8n-workflow"]',
	],
);

const IMPORT_ORDER = [
	'error',
	{
		groups: [['builtin', 'external'], 'parent', ['sibling', 'index']],
		alphabetize: { order: 'asc' },
		'newlines-between': 'ignore',
	},
];

export default defineConfig(
	globalIgnores(['dist', 'coverage', '.cache']),
	{
		files: ['**/*.{js,mjs,ts,mts}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
	},
	{ files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.recommended],
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{
		// Node runs these files as they are: it strips types, but does not compile.
		files: ['playground/**/*.mts', 'bench/**/*.mts'],
		rules: { 'no-restricted-syntax': ['error', 'TSEnumDeclaration', 'TSParameterProperty'] },
	},

	{
		files: ['playground/api/phone/*.js'],
		languageOptions: {
			sourceType: 'module',
			globals: Object.fromEntries(BROWSER.map((name) => [name, 'readonly'])),
		},
	},

	// Otherwise import-x reads no TypeScript, and finds no cycle in it.
	{
		settings: {
			'import-x/extensions': ['.ts', '.mts', '.js', '.mjs', '.cjs'],
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.mts'] },
			// TypeScript knows what packages export, and none of them imports ours.
			'import-x/ignore': ['/node_modules/'],
		},
	},
	{
		files: ['{playground,test,bench,scripts}/**/*.{mts,js,cjs,mjs}'],
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: layers }],
			'import-x/order': IMPORT_ORDER,
		},
	},

	// What `n8n-node lint` enforces; here a warning counts and nothing can be switched off in a file.
	n8nRules,
	{
		files: ['**/*.ts'],
		ignores: PRODUCT,
		rules: {
			'no-restricted-syntax': [
				'error',
				...restricted(
					"Only what is published ends in .ts: n8n's rules forbid Node's own modules there.",
					['Program'],
				),
			],
		},
	},
	{
		files: PRODUCT,
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: layers }],
			'import-x/no-cycle': 'error',
			'import-x/order': IMPORT_ORDER,
		},
	},
	{
		files: PRODUCT,
		ignores: [`${NODES}/clock.ts`],
		rules: { 'no-restricted-syntax': ['error', ...READS_TIME, ...TAKES_SYSTEM_CLOCK] },
	},
	{
		files: OPENS_THE_CLOCK.map((name) => `${NODES}/${name}.ts`),
		rules: { 'no-restricted-syntax': ['error', ...READS_TIME] },
	},
	{
		files: ['test/{unit,nodes,workflow}/**/*.mts'],
		ignores: ['test/unit/clock.test.mts'],
		rules: { 'no-restricted-syntax': ['error', ...FAKES_TIME] },
	},
	{
		files: ['nodes/BusinessMessaging/template/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: ['n8n-*', '@n8n/*'] }] },
	},
);
