const { TestEnvironment } = require('jest-environment-node');

// n8n's packages are loaded outside of the test files' own process object.
require('../support/n8nEnvironment.ts');

/** Jest loads everything anew for each test file; n8n's packages take longer than most tests. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.loadedOnce = require;
	}
};
