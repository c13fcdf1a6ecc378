import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { takeReports } from './collected.mjs';
import { survivors, scoreOf } from './score.mjs';

const LEAST_PERCENT = 98;

/**
 * Of a change to what runs when a file is loaded Stryker knows no tests, and so would keep forever that it
 * survived, whatever tests are added.
 */
function forgetStaticSurvivors(incrementalFile) {
	const report = JSON.parse(readFileSync(incrementalFile, 'utf8'));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter((mutant) => !mutant.static || mutant.status !== 'Survived');
	}
	writeFileSync(incrementalFile, JSON.stringify(report));
}

/** @returns the files as Stryker reports them, by their names */
async function mutate(tier, options) {
	process.env.MUTATION_TIER = tier;
	await new Stryker(options).runMutationTest();
	return takeReports();
}

const folders = new Set(globSync('{nodes,credentials}/**/*.ts').map((file) => dirname(file)));
const chosen = process.argv.slice(2);
const files = {};
// A run for each folder: what it has found is kept at its end, and all of them take long.
for (const folder of chosen.length > 0 ? chosen : folders) {
	console.log(folder);
	const incrementalFile = `.cache/mutation/${folder.replaceAll('/', '-')}.json`;
	if (existsSync(incrementalFile)) forgetStaticSurvivors(incrementalFile);
	const options = { mutate: [folder.endsWith('.ts') ? folder : `${folder}/*.ts`], incrementalFile };
	Object.assign(files, await mutate('unit', options));
}

// The other tests take longer, so they run only where the unit tests notice nothing.
const places = survivors(files).map(
	({ name, location: { start, end } }) =>
		`${name}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`,
);
if (places.length > 0) {
	console.log(`${places.length} changes that no unit test notices`);
	const byOthers = await mutate('nodes', { mutate: [...new Set(places)], incremental: false });
	const idOf = ({ location, replacement }) => JSON.stringify([location, replacement]);
	for (const [name, { mutants }] of Object.entries(byOthers)) {
		const statuses = new Map(mutants.map((mutant) => [idOf(mutant), mutant.status]));
		for (const { mutant } of survivors({ [name]: files[name] })) {
			mutant.status = statuses.get(idOf(mutant)) ?? mutant.status;
		}
	}
}

const { percent, lines } = scoreOf(files);
for (const line of lines) console.log(line);
if (percent < LEAST_PERCENT) process.exitCode = 1;
