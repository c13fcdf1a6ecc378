import { globSync, readFileSync } from 'node:fs';

/** Says what keeps the project in this folder from being published as the version of a tag. */
const [tag] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const PLACEHOLDER = 'to-be-filled-in';
const FILES = [
	'package.json',
	'*.md',
	'.github/**/*.{md,yml}',
	'docs/*.md',
	'playground/api/*.md',
	'examples/*.md',
	'credentials/*',
	'nodes/**/*.{ts,json,svg}',
];

function placeholders(file) {
	return readFileSync(file, 'utf8')
		.split('\n')
		.flatMap((line, index) =>
			line.includes(PLACEHOLDER) ? [`${file}:${index + 1}: fill in ${line.trim()}`] : [],
		);
}

const problems = [
	...(tag === version ? [] : [`The tag is ${tag}, the version in package.json ${version}.`]),
	...globSync(FILES).sort().flatMap(placeholders),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${version} can be published.`);
