const { readFileSync, writeFileSync } = require('node:fs');
const { default: TestRunner } = require('jest-runner');

/** In Stryker's copy of the project: the names of the tests in each file, written by the run without a mutant. */
const NAMES_FILE = 'testNames.json';

const isUnitTest = ({ path }) => path.includes('/test/unit/');

/**
 * For each mutant only the files with a test that reaches it, quick tests first, and no further file after one that
 * fails: one failure kills a mutant.
 */
module.exports = class FirstFailureRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		const { testNamePattern } = this._globalConfig;
		const isDryRun = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
		const names = {};
		this.on('test-file-success', ([{ path }, { numFailingTests, testResults }]) => {
			names[path] = testResults.map(({ fullName }) => fullName);
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
		});
		const reaching = testNamePattern ? tests.filter(reaches(testNamePattern)) : tests;
		await super.runTests(
			[...reaching].sort((a, b) => isUnitTest(b) - isUnitTest(a)),
			watcher,
			options,
		);
		if (isDryRun) writeFileSync(NAMES_FILE, JSON.stringify(names));
	}
};

function reaches(testNamePattern) {
	const names = JSON.parse(readFileSync(NAMES_FILE, 'utf8'));
	const pattern = new RegExp(testNamePattern, 'i');
	return ({ path }) => names[path]?.some((name) => pattern.test(name)) ?? true;
}
