/**
 * For `test/mutation/run.mjs`, which says what is mutated.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	testRunner: 'jest',
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js' },
	coverageAnalysis: 'perTest',
	plugins: ['@stryker-mutator/jest-runner', './test/mutation/editorTexts.mjs'],
	// Labels, descriptions and placeholders only. Names, types, values, defaults and conditions count.
	ignorers: ['editor-texts'],
	reporters: ['progress-append-only', 'clear-text'],
	clearTextReporter: { logTests: false, reportTests: false },
	/** In percent, of each run. */
	thresholds: { high: 98, low: 98, break: 98 },
	// swc strips the types without checking them.
	disableTypeChecks: false,
	// Constants and tables are code like any other: they count, although each of them costs a run.
	ignoreStatic: false,
	warnings: { slow: false },
	concurrency: 4,
	// A busy machine must not look like an endless loop.
	timeoutMS: 8_000,
	incremental: true,
	tempDirName: '.cache/mutation/sandboxes',
	ignorePatterns: [
		'.cache',
		'bench',
		'dist',
		'docs/*.png',
		'docs/*.webm',
		'playground/n8n',
		'playground/n8n1',
		'test/e2e',
		'test/playground',
		'test/queue',
	],
};
