import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';

/** The local API's description, by Redocly's strictest rules, in which a warning is an error. */
const config = await createConfig({ extends: ['recommended-strict'] });
const problems = await lint({ ref: 'playground/api/openapi.json', config });
const totals = getTotals(problems);
if (problems.length > 0) {
	formatProblems(problems, { format: 'codeframe', totals, version: '' });
	process.exitCode = 1;
} else {
	console.log('Redocly finds nothing in playground/api/openapi.json.');
}
