/** Percent of the mutants of a folder that the tests must kill, next to Stryker's threshold for all. */
const DEMANDED = {
	'nodes/BusinessMessaging/transport': 95,
	'nodes/BusinessMessaging/events': 95,
};
const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];

function addUp(files) {
	const scores = new Map();
	for (const [file, { mutants }] of Object.entries(files)) {
		const folder = file.slice(0, file.lastIndexOf('/'));
		const score = scores.get(folder) ?? { killed: 0, alive: 0 };
		score.killed += mutants.filter(({ status }) => KILLED.includes(status)).length;
		score.alive += mutants.filter(({ status }) => ALIVE.includes(status)).length;
		scores.set(folder, score);
	}
	return scores;
}

function show({ fileName, location, mutatorName, replacement, status }) {
	const { line, column } = location.start;
	const text = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
	const file = fileName.slice(process.cwd().length + 1);
	return `${status} ${file}:${line}:${column} ${mutatorName} ${text}`;
}

class FolderScores {
	onMutantTested(mutant) {
		if (ALIVE.includes(mutant.status)) console.log(show(mutant));
	}

	onMutationTestReportReady({ files }) {
		for (const [folder, { killed, alive }] of [...addUp(files)].sort()) {
			if (killed + alive === 0) continue;
			const percent = (100 * killed) / (killed + alive);
			const isEnough = percent >= (DEMANDED[folder] ?? 0);
			const verdict = isEnough ? '' : `, below ${DEMANDED[folder]} %`;
			console.log(`${percent.toFixed(1)} % ${folder} (${killed} of ${killed + alive}${verdict})`);
			if (!isEnough) process.exitCode = 1;
		}
	}
}

/** A Stryker reporter: the mutants that survived, one a line, and the score of each folder. */
export const strykerPlugins = [
	{ kind: 'Reporter', name: 'folder-scores', injectableClass: FolderScores },
];
