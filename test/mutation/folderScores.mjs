import { SURVIVORS } from './survivors.mjs';

const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];
const ROOT = 'nodes/BusinessMessaging/';

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

const onOneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Such as `amount < 10 → amount <= 10`. */
function changeOf({ location: { start, end }, replacement }, source) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return `${onOneLine(lines.join('\n'))} → ${onOneLine(replacement ?? '')}`;
}

/** Tells which listed survivors of these files are gone, and which others there are. */
function* differences(files) {
	for (const [file, { mutants, source }] of Object.entries(files)) {
		const listed = new Set(Object.keys(SURVIVORS[file.replace(ROOT, '')] ?? {}));
		const alive = mutants.filter(({ status }) => ALIVE.includes(status));
		const found = new Map(alive.map((mutant) => [changeOf(mutant, source), mutant]));
		for (const [change, { status, location }] of found) {
			if (!listed.has(change)) yield `${status} ${file}:${location.start.line} ${change}`;
		}
		for (const change of listed) {
			if (!found.has(change)) yield `Listed, but it does not survive: ${file} ${change}`;
		}
	}
}

class FolderScores {
	onMutationTestReportReady({ files }) {
		for (const [folder, { killed, alive }] of [...addUp(files)].sort()) {
			if (killed + alive === 0) continue;
			const percent = (100 * killed) / (killed + alive);
			console.log(`${percent.toFixed(1)} % ${folder} (${killed} of ${killed + alive})`);
		}
		for (const difference of differences(files)) {
			console.log(difference);
			process.exitCode = 1;
		}
	}
}

/** A Stryker reporter: the score of each folder, and what survived unlike `survivors.mjs` says. */
export const strykerPlugins = [
	{ kind: 'Reporter', name: 'folder-scores', injectableClass: FolderScores },
];
