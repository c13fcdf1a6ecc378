const { TestEnvironment } = require('jest-environment-node');

// n8n's packages are loaded outside of the test files' own process object.
require('../support/n8nEnvironment.ts');

/** Jest loads everything anew for each test file; n8n's packages take longer than most tests. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.loadedOnce = require;
	}

	/** No further test of a file after one that fails: a change that hangs one of them hangs the others, too. */
	async handleTestEvent(event) {
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
