import { Stryker } from '@stryker-mutator/core';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { tested } from './collected.mjs';
import { scoreOf } from './score.mjs';

const LEAST_PERCENT = 98;

// A run for each folder: what it has found is kept at its end, and all of them take more than an hour.
const folders = new Set(globSync('{nodes,credentials}/**/*.ts').map((file) => dirname(file)));
const [...chosen] = process.argv.slice(2);
for (const folder of chosen.length > 0 ? chosen : folders) {
	console.log(folder);
	const name = folder.replaceAll('/', '-');
	const stryker = new Stryker({
		mutate: [`${folder}/*.ts`],
		incrementalFile: `.cache/mutation/${name}.json`,
	});
	await stryker.runMutationTest();
}

const { percent, lines, differences } = scoreOf(tested);
for (const line of [...differences, ...lines]) console.log(line);
if (percent < LEAST_PERCENT || differences.length > 0) process.exitCode = 1;
