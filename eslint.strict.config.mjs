import { readdirSync, statSync } from 'node:fs';
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

const TIERS = readdirSync('test')
	.map((name) => `./test/${name}`)
	.filter((path) => path !== './test/support' && statSync(path).isDirectory());

/** Arrows point downward: a folder may not import what stands above it. test/unit/structure/imports.test.ts finds cycles. */
const layers = [
	{ target: ['./nodes', './credentials'], from: ['./playground', './test', './bench'] },
	{ target: './playground', from: ['./nodes', './credentials', './test', './bench'] },
	{
		target: './playground/!(start).ts',
		from: ['./playground/api', './playground/n8n', './playground/cluster', './playground/demo'],
	},
	{
		target: './playground/api',
		from: ['./playground/n8n', './playground/cluster', './playground/demo'],
	},
	{ target: './playground/n8n', from: ['./playground/cluster', './playground/demo'] },
	{ target: './playground/cluster', from: ['./playground/api', './playground/demo'] },
	{ target: './playground/demo', from: './playground/cluster' },
	{ target: './test', from: './bench' },
	{ target: ['./test/support', './bench'], from: [...TIERS, './playground/demo'] },
	...TIERS.map((tier) => ({ target: tier, from: TIERS.filter((other) => other !== tier) })),
	{
		target: [
			'./nodes/BusinessMessaging/errors',
			'./nodes/BusinessMessaging/events',
			'./nodes/BusinessMessaging/memory',
			'./nodes/BusinessMessaging/template',
			'./nodes/BusinessMessaging/transport',
		],
		from: './nodes/BusinessMessaging/actions',
	},
	{
		target: [
			'./nodes/BusinessMessaging/errors',
			'./nodes/BusinessMessaging/memory',
			'./nodes/BusinessMessaging/template',
			'./nodes/BusinessMessaging/transport',
		],
		from: './nodes/BusinessMessaging/events',
	},
];

export default defineConfig(
	globalIgnores(['dist', 'coverage', '.cache']),
	{
		files: ['**/*.{js,mjs,ts}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
	},
	{ files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
	{
		files: ['**/*.ts'],
		ignores: PRODUCT,
		extends: [tseslint.configs.recommended],
		rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
	},
	{
		// Node runs these files as they are: it strips types, but does not compile.
		files: ['playground/**/*.ts', 'bench/**/*.ts'],
		rules: { 'no-restricted-syntax': ['error', 'TSEnumDeclaration', 'TSParameterProperty'] },
	},

	{
		files: ['playground/api/phone/*.js'],
		languageOptions: {
			sourceType: 'module',
			globals: Object.fromEntries(BROWSER.map((name) => [name, 'readonly'])),
		},
	},

	{
		files: ['playground/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: { 'import-x/no-restricted-paths': ['error', { zones: layers }] },
	},

	// What `n8n-node lint` enforces; here a warning counts and nothing can be switched off in a file.
	{ files: [...PRODUCT, 'package.json'], extends: [n8nRules] },
	{ files: PRODUCT, rules: { 'import-x/no-restricted-paths': ['error', { zones: layers }] } },
);
