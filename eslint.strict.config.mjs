import js from '@eslint/js';
import { config as n8nRules } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { layers } from './eslint.layers.mjs';

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
		files: ['{playground,test,bench,scripts}/**/*.{ts,js,cjs,mjs}'],
		plugins: { 'import-x': importX },
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: layers }],
			'import-x/order': IMPORT_ORDER,
		},
	},

	// What `n8n-node lint` enforces; here a warning counts and nothing can be switched off in a file.
	{ files: [...PRODUCT, 'package.json'], extends: [n8nRules] },
	{
		files: PRODUCT,
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: layers }],
			'import-x/order': IMPORT_ORDER,
		},
	},
	{
		files: ['nodes/BusinessMessaging/template/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: ['n8n-*', '@n8n/*'] }] },
	},
);
