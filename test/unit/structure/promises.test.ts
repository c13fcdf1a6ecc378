import { globSync, readFileSync } from 'node:fs';

import { headings, textOf } from './markdown.ts';

/** Beside a test: the document and its part whose promise it keeps, and which one. */
const PROMISE = /^\s*\/\/ (README|SECURITY), ([^:\n]+): ./gm;

/** Its headings, and the bold lines that head a part; "Top" is what stands before them. */
function partsOf(file: string): string[] {
	const bold = [...textOf(file).matchAll(/^\*\*([^*]+)\*\*$/gm)].map(([, part]) => part);
	return ['Top', ...headings(file), ...bold];
}

it('the promise that a test is said to keep stands in a part that its document has', () => {
	const parts = { README: partsOf('README.md'), SECURITY: partsOf('SECURITY.md') };
	const named = globSync(['test/**/*.ts', 'scripts/*.mjs']).flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(PROMISE)].map(([, document, part]) => ({
			file,
			document: document as keyof typeof parts,
			part,
		})),
	);
	expect(named).not.toEqual([]);
	expect(named.filter(({ document, part }) => !parts[document].includes(part))).toEqual([]);
});

// README, Compatibility: runs in every build
it('every build runs the end-to-end tests, and those in queue mode', () => {
	for (const build of ['.github/workflows/ci.yml', '.ci/run']) {
		const commands = readFileSync(build, 'utf8');
		for (const script of ['npm test', 'npm run e2e', 'npm run e2e:queue']) {
			expect(commands).toMatch(new RegExp(`${script}( --.*)?$`, 'm'));
		}
	}
});

// SECURITY, The package: published by a GitHub workflow with provenance
it('the package is published by a workflow, with provenance, when its tests are green', () => {
	const workflow = readFileSync('.github/workflows/publish.yml', 'utf8');
	const commands = [...workflow.matchAll(/^ +- run: (npm .*)$/gm)].map(([, command]) => command);
	expect(commands).toEqual([
		'npm ci',
		'npm run check:release -- "$GITHUB_REF_NAME"',
		'npm test',
		'npm run e2e',
		'npm run check:package',
		'npm publish --provenance --access public',
	]);
	expect(workflow).toContain('id-token: write');
});
