import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Texts of the editor only, and a table that a script makes. */
const WITHOUT = ['!**/events/panel.ts'];

/**
 * Stryker would keep that a change survived: it does not see that a file of `test/support` is another one, and of
 * what runs when a file is loaded it knows no tests.
 */
function forgetSurvivors(incrementalFile) {
	const report = JSON.parse(readFileSync(incrementalFile, 'utf8'));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter(({ status }) => status !== 'Survived');
	}
	writeFileSync(incrementalFile, JSON.stringify(report));
}

const folders = new Set(globSync('{nodes,credentials}/**/*.ts').map((file) => dirname(file)));
const chosen = process.argv.slice(2);
// A run for each folder: what it has found is kept at its end, and all of them take long.
for (const folder of chosen.length > 0 ? chosen : folders) {
	console.log(folder);
	const incrementalFile = `.cache/mutation/${folder.replaceAll('/', '-')}.json`;
	if (existsSync(incrementalFile)) forgetSurvivors(incrementalFile);
	const mutate = [folder.endsWith('.ts') ? folder : `${folder}/*.ts`, ...WITHOUT];
	await new Stryker({ mutate, incrementalFile }).runMutationTest();
}
