const { default: TestRunner } = require('jest-runner');
const { readFileSync, writeFileSync } = require('node:fs');

/** In Stryker's copy of the project: what the run without a mutant found out about each test file. */
const FILES = 'testFiles.json';

/** How many of the files that killed the mutants before: the next mutant is likely to stand beside them. */
const MAX_KILLERS = 3;
/** The last one first. A process of Stryker has many mutants. */
let killers = [];

/**
 * For each mutant only the files with a test that reaches it, and no further file after one that fails: one failure
 * kills a mutant. First those that killed the mutants before it, then the quickest.
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
			if (numFailingTests === 0) return;
			killers = [path, ...killers.filter((other) => other !== path)].slice(0, MAX_KILLERS);
			void watcher.setState({ interrupted: true });
		});
		const reaching = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const isReached = ({ path }) => files[path].names.some((name) => reaching.test(name));
		const waits = ({ path }) => (killers.includes(path) ? 0 : files[path].runtime);
		const chosen = isDryRun ? tests : tests.filter(isReached).sort((a, b) => waits(a) - waits(b));
		await super.runTests(chosen, watcher, options);
		if (isDryRun) writeFileSync(FILES, JSON.stringify(files));
	}
};
