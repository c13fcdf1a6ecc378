const LoadedOnce = require('../loadedOnce/environment.js');

/** No further test of a file after one that fails: a change that hangs one of them hangs the others, too. */
module.exports = class extends LoadedOnce {
	async handleTestEvent(event) {
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
