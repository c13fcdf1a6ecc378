import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds up jest's JSON reports in a folder and prints one line; a suite that could not run fails. */
const folder = process.argv[2];
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
	const report = JSON.parse(readFileSync(join(folder, file), 'utf8'));
	sum.passed += report.numPassedTests;
	sum.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
	sum.skipped += report.numPendingTests + report.numTodoTests;
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
