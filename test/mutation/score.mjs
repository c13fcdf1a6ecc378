import { dirname } from 'node:path';

const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];

/** How many changes of these files were noticed, and how many were not. */
function count(files) {
	const mutants = files.flatMap(([, file]) => file.mutants);
	const have = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
	return { killed: have(KILLED), all: have([...KILLED, ...ALIVE]) };
}

function percentOf({ killed, all }) {
	return (100 * killed) / all;
}

const onOneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Such as `amount < 10 → amount <= 10`. */
function changeOf({ location: { start, end }, replacement }, source) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return `${onOneLine(lines.join('\n'))} → ${onOneLine(replacement ?? '')}`;
}

/**
 * @param files as Stryker reports them, by their names
 * @returns the score of all of them, and as text what survived, and the score of each folder
 */
export function scoreOf(files) {
	const entries = Object.entries(files);
	const line = (name, score) =>
		`${percentOf(score).toFixed(1)} % ${name} (${score.killed} of ${score.all})`;
	const folders = Object.groupBy(entries, ([name]) => dirname(name));
	const total = count(entries);
	return {
		percent: percentOf(total),
		lines: [
			...entries.flatMap(([name, { source, mutants }]) =>
				mutants
					.filter(({ status }) => ALIVE.includes(status))
					.map((mutant) => `${name}:${mutant.location.start.line} ${changeOf(mutant, source)}`),
			),
			...Object.entries(folders).map(([folder, own]) => line(folder, count(own))),
			line('in all', total),
		],
	};
}
