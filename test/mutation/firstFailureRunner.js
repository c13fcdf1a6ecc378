const { default: TestRunner } = require('jest-runner');

const isUnitTest = ({ path }) => path.includes('/test/unit/');

/** Quick tests first, and no further file after one that fails: one failure kills a mutant. */
module.exports = class FirstFailureRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		this.on('test-file-success', ([, { numFailingTests }]) => {
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
		});
		const quickFirst = [...tests].sort((a, b) => isUnitTest(b) - isUnitTest(a));
		await super.runTests(quickFirst, watcher, options);
	}
};
