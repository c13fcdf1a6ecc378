/** The files of all runs of this process so far, as Stryker reports them, by their names. */
export const tested = {};

class Collector {
	onMutationTestReportReady({ files }) {
		Object.assign(tested, files);
	}
}

/** A Stryker reporter. */
export const strykerPlugins = [{ kind: 'Reporter', name: 'collected', injectableClass: Collector }];
