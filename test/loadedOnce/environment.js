const { TestEnvironment } = require('jest-environment-node');

// n8n's packages read these settings when they are loaded, which is outside of the test files' own process object.
require('../support/n8nEnvironment.mts');

/**
 * Jest loads each module again for each test file. The large libraries take longer than most tests, so a worker loads
 * them once.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.loadedOnce = require;
	}
};
