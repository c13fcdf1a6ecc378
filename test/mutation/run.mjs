import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tested } from './collected.mjs';
import { scoreOf } from './score.mjs';

const LEAST_PERCENT = 98;

const ALL = '{unit,nodes}';

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

const folders = new Set(globSync('{nodes,credentials}/**/*.ts').map((file) => dirname(file)));
const chosen = process.argv.slice(2);
// A run for each folder: what it has found is kept at its end, and all of them take hours.
for (const folder of chosen.length > 0 ? chosen : folders) {
	const incrementalFile = `.cache/mutation/${folder.replaceAll('/', '-')}.json`;
	// At first the unit tests alone: they notice nearly all, and give up sooner what never ends.
	for (const tiers of existsSync(incrementalFile) ? [ALL] : ['unit', ALL]) {
		console.log(`${folder}, test/${tiers}`);
		process.env.MUTATION_TIERS = tiers;
		if (existsSync(incrementalFile)) forgetStaticSurvivors(incrementalFile);
		const mutate = [folder.endsWith('.ts') ? folder : `${folder}/*.ts`];
		await new Stryker({ mutate, incrementalFile }).runMutationTest();
	}
}

const { percent, lines, survivors } = scoreOf(tested);
for (const line of [...survivors, ...lines]) console.log(line);
if (percent < LEAST_PERCENT) process.exitCode = 1;
