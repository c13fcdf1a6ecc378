const { default: TestRunner } = require('jest-runner');
const { readFileSync, writeFileSync } = require('node:fs');

/** In Stryker's copy of the project: what the run without a mutant found out about each test file. */
const FILES = 'testFiles.json';

/**
 * For each mutant only the files with a test that reaches it, the quickest first, and no further file after one that
 * fails: one failure kills a mutant.
 */
module.exports = class FirstFailureRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		const isDryRun = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
		const files = isDryRun ? {} : JSON.parse(readFileSync(FILES, 'utf8'));
		this.on('test-file-success', ([{ path }, { numFailingTests, perfStats, testResults }]) => {
			if (isDryRun) {
				const names = testResults.map(({ fullName }) => fullName);
				files[path] = { names, runtime: perfStats.runtime };
			}
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
		});
		const reaching = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const isReached = ({ path }) => files[path].names.some((name) => reaching.test(name));
		const byRuntime = (a, b) => files[a.path].runtime - files[b.path].runtime;
		const chosen = isDryRun ? tests : tests.filter(isReached).sort(byRuntime);
		await super.runTests(chosen, watcher, options);
		if (isDryRun) writeFileSync(FILES, JSON.stringify(files));
	}
};
