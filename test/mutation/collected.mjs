let files = {};

/** @returns what Stryker has reported since, by the names of the files */
export function takeReports() {
	const taken = files;
	files = {};
	return taken;
}

class Collector {
	onMutationTestReportReady(report) {
		Object.assign(files, report.files);
	}
}

/** A Stryker reporter. */
export const strykerPlugins = [{ kind: 'Reporter', name: 'collected', injectableClass: Collector }];
