import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

let project: string;

function write(path: string, content: string) {
	const file = join(project, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, content, { mode: 0o755 });
}

const N8N = 'link:../../n8n';
const LOCK = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      n8n: { specifier: '${N8N}', version: '${N8N}' }
packages:
  sqlite3@5.1.7:
    resolution: { integrity: sha512-AAAA }
snapshots:
  sqlite3@5.1.7: {}
`;
const DRIVER = 'build/Release/node_sqlite3.node';
const writesDriver = (content: string) => `
	const { mkdirSync, writeFileSync } = require('node:fs');
	mkdirSync('build/Release', { recursive: true });
	writeFileSync('${DRIVER}', ${content});`;

/** A project with an n8n that needs no registry, and an `npm` that brings the source of the driver without one. */
beforeEach(() => {
	project = mkdtempSync(join(tmpdir(), 'in stall-'));
	symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');
	const sqlite = '{ "version": "5.1.7" }';
	const source = 'source/node_modules';
	const files = {
		'package.json': '{}',
		'n8n/package.json': '{}',
		'n8n/node_modules/sqlite3/package.json': sqlite,
		'playground/n8n/package.json': JSON.stringify({ dependencies: { n8n: N8N } }),
		'playground/n8n/pnpm-workspace.yaml': 'packages: []',
		'playground/n8n/pnpm-lock.yaml': LOCK,
		[`${source}/sqlite3/package.json`]: sqlite,
		[`${source}/sqlite3/index.js`]: `
			const driver = require('node:fs').readFileSync(__dirname + '/${DRIVER}', 'utf8');
			if (driver === 'of another system') throw new Error('It does not load.');`,
		[`${source}/prebuild-install/bin.js`]: `
			if (!process.env.PREBUILT) process.exit(1);
			${writesDriver('process.env.PREBUILT')}`,
		// As make does.
		[`${source}/node-gyp/bin/node-gyp.js`]: `
			if (/ /.test([process.cwd(), ...process.argv.slice(2)].join(''))) process.exit(1);
			${writesDriver("'built'")}`,
		'bin/npm': `#!/bin/sh\n/bin/cp -R '${join(project, source)}' .`,
	};
	for (const [path, content] of Object.entries(files)) write(path, content);
});
afterEach(() => rmSync(project, { recursive: true }));

async function prepare(prebuilt: string, tools: string[]) {
	for (const tool of tools) write(`bin/${tool}`, '');
	const child = spawn(process.execPath, [resolve('playground/prepare.mts')], {
		cwd: project,
		env: { PATH: join(project, 'bin'), HOME: project, PREBUILT: prebuilt },
	});
	child.stdout.resume();
	let errors = '';
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const [exitCode] = (await once(child, 'close')) as [number | null];
	return { exitCode, errors };
}

// README, Try it without an account: a compiler only where there is no driver to download
test.each([
	['is downloaded, without a compiler', 'downloaded', [], 'downloaded'],
	['is built when it cannot be downloaded', '', ['python3', 'make', 'c++'], 'built'],
	['is built when it does not load', 'of another system', ['python3', 'make', 'c++'], 'built'],
])("n8n's SQLite driver %s", async (_title, prebuilt, tools, driver) => {
	expect(await prepare(prebuilt, tools)).toEqual({ exitCode: 0, errors: '' });
	expect(readFileSync(join(project, 'n8n/node_modules/sqlite3', DRIVER), 'utf8')).toBe(driver);
});

test('a driver without a compiler is missed in a sentence before n8n is downloaded', async () => {
	const { exitCode, errors } = await prepare('of another system', ['python3']);
	expect(exitCode).toBe(1);
	expect(errors).toMatch(/^n8n's SQLite driver .* lacks make and a C\+\+ compiler: .*\n$/);
	expect(existsSync(join(project, 'playground/n8n/node_modules'))).toBe(false);
	// Nor does the second try take what the first has left for a driver.
	expect(await prepare('of another system', ['python3'])).toEqual({ exitCode, errors });
});
