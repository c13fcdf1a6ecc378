import { Stryker } from '@stryker-mutator/core';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tested } from './collected.mjs';
import { scoreOf } from './score.mjs';

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

const found = new Set(globSync('{nodes,credentials}/**/*.ts').map((file) => dirname(file)));
const chosen = process.argv.slice(2);
const incrementalFileOf = (folder) => `.cache/mutation/${folder.replaceAll('/', '-')}.json`;

/** A run for each folder: what it has found is kept at its end, and all of them take long. */
async function test(folder, tiers) {
	console.log(`${folder}, test/${tiers}`);
	process.env.MUTATION_TIERS = tiers;
	const incrementalFile = incrementalFileOf(folder);
	if (existsSync(incrementalFile)) forgetStaticSurvivors(incrementalFile);
	const mutate = [folder.endsWith('.ts') ? folder : `${folder}/*.ts`];
	await new Stryker({ mutate, incrementalFile }).runMutationTest();
}

const folders = chosen.length > 0 ? chosen : [...found];
// At first the unit tests alone: they notice nearly all, and give up sooner what never ends.
for (const folder of folders) {
	if (!existsSync(incrementalFileOf(folder))) await test(folder, 'unit');
}
for (const folder of folders) await test(folder, '{unit,nodes}');

const { percent, lines, survivors } = scoreOf(tested);
for (const line of [...survivors, ...lines]) console.log(line);
if (percent < LEAST_PERCENT) process.exitCode = 1;
