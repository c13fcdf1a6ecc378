import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { manifest, NODE_FOLDER, nodes, readJson } from './project.ts';

const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

it('package.json lists every node and credential, and each node has a codex file', () => {
	const listed = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map(sourceOf);
	const present = globSync(['credentials/*.credentials.ts', 'nodes/**/*.node.ts']);
	expect(listed.sort()).toEqual(present.sort());
	const codexes = globSync(`${NODE_FOLDER}/*.node.json`);
	const ids = codexes.map((file) => {
		const { node, nodeVersion } = readJson<{ node: string; nodeVersion: string }>(file);
		return [basename(file, '.node.json'), node, Number(nodeVersion)];
	});
	const expected = nodes.map(([className, { name, version }]) => [
		className,
		`${manifest.name}.${name}`,
		version,
	]);
	expect(ids.sort()).toEqual(expected.sort());
});

// SECURITY, The package: no dependency
it('brings no dependency, and takes n8n-workflow from n8n', () => {
	expect(manifest).not.toHaveProperty('dependencies');
	expect(manifest).not.toHaveProperty('optionalDependencies');
	expect(manifest).not.toHaveProperty('bundledDependencies');
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
});

// SECURITY, The package: runs nothing
it('runs nothing when it is installed, packed or published', () => {
	const lifecycle = /^(?:pre|post)?(?:install|prepare|pack|publish|publishOnly)$/i;
	expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
});

// README, Try it without an account: npm ci, with the npm of each Node.js; CI asks them
it('pins every tool, and locks no package that is only a peer, about which versions of npm disagree', () => {
	const versions = Object.values(manifest.devDependencies);
	expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	const { packages } = readJson<{ packages: Record<string, { peer?: true }> }>('package-lock.json');
	expect(Object.keys(packages).filter((path) => packages[path].peer)).toEqual([]);
});

// SECURITY, The package: n8n's own rules for sources
it("leaves n8n's lint configuration as n8n has it, which n8n's strict mode demands", () => {
	const template = 'dist/template/templates/shared/default/eslint.config.mjs';
	const original = readFileSync(join('node_modules/@n8n/node-cli', template), 'utf8');
	const words = (text: string) => text.split(/\s+/).join(' ').trim();
	expect(words(readFileSync('eslint.config.mjs', 'utf8'))).toBe(words(original));
	expect(manifest.n8n.strict).toBe(true);
});

// SECURITY, The package: published by a GitHub workflow with provenance
it('is published by a workflow, with provenance, when its tests are green', () => {
	const workflow = readFileSync('.github/workflows/publish.yml', 'utf8');
	const commands = [...workflow.matchAll(/^ +- run: (npm .*)$/gm)].map(([, command]) => command);
	expect(commands).toEqual([
		'npm ci',
		'npm run check:release -- "$GITHUB_REF_NAME"',
		'npm run lint:n8n',
		'npm test',
		'npm run e2e',
		'npm run check:package',
		'npm publish --provenance --access public',
	]);
	expect(workflow).toContain('id-token: write');
});

it('is not published under the tag of another version, or while an address is not filled in', () => {
	const { status, stderr } = spawnSync(process.execPath, ['scripts/checkRelease.mjs', '9.9.9'], {
		encoding: 'utf8',
	});
	expect(status).toBe(1);
	const [tag, ...placeholders] = stderr.trim().split('\n');
	expect(tag).toBe(`The tag is 9.9.9, the version in package.json ${manifest.version}.`);
	const places = placeholders.map((line) => /^(.+):\d+: fill in /.exec(line)?.[1]);
	// Only these have something to fill in.
	expect(places.filter((file) => file !== 'package.json' && file !== 'README.md')).toEqual([]);
});
