const LoadedOnce = require('../loadedOnce/environment.js');

/** No further test of a file after one that fails: a change that hangs one of them hangs the others, too. */
module.exports = class extends LoadedOnce {
	async handleTestEvent(event) {
		// After a beforeAll that fails Jest fails each test. Skipped, none would.
		const isOfTest = ['test_fn_failure', 'hook_failure'].includes(event.name) && event.test;
		if (isOfTest) this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
