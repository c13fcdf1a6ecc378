import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SURVIVORS } from './survivors.mjs';

const KILLED = ['Killed', 'Timeout'];
const ALIVE = ['Survived', 'NoCoverage'];
const ROOT = 'nodes/BusinessMessaging/';

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

/** What survives in a file unlike `survivors.mjs` says. */
function* differencesIn([name, { mutants, source }]) {
	const listed = SURVIVORS[name.replace(ROOT, '')] ?? {};
	const alive = mutants.filter(({ status }) => ALIVE.includes(status));
	const found = Object.groupBy(alive, (mutant) => changeOf(mutant, source));
	for (const change of new Set([...Object.keys(listed), ...Object.keys(found)])) {
		const expected = [listed[change] ?? []].flat().length;
		const lines = (found[change] ?? []).map(({ location }) => location.start.line);
		if (lines.length === expected) continue;
		yield `${lines.length} survive, ${expected} listed: ${name}:${lines.join(',')} ${change}`;
	}
}

function* filesThatAreGone() {
	for (const name of Object.keys(SURVIVORS)) {
		if (!existsSync(ROOT + name)) yield `Listed, but there is no such file: ${name}`;
	}
}

/**
 * @param tested the files as Stryker reports them, by their names
 * @returns the score of all of them and of each folder as text, and what survived unlike `survivors.mjs` says
 */
export function scoreOf(tested) {
	const files = Object.entries(tested);
	const line = (name, score) =>
		`${percentOf(score).toFixed(1)} % ${name} (${score.killed} of ${score.all})`;
	const folders = Object.groupBy(files, ([name]) => dirname(name));
	const total = count(files);
	return {
		percent: percentOf(total),
		lines: [
			...Object.entries(folders).map(([folder, own]) => line(folder, count(own))),
			line('in all', total),
		],
		differences: [...filesThatAreGone(), ...files.flatMap((file) => [...differencesIn(file)])],
	};
}
