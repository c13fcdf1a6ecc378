import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { manifest } from './project.ts';

const run = promisify(execFile);
const SCRIPT = resolve('scripts/checkRelease.mjs');
const FILLED_IN = ['package.json', 'README.md', 'CHANGELOG.md', 'nodes', 'credentials'];
let folder: string;

/** The project as it is once its placeholders are filled in. */
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'release-'));
	for (const name of FILLED_IN) cpSync(name, join(folder, name), { recursive: true });
	for (const name of ['package.json', 'README.md']) edit(name, /to-be-filled-in/g, 'somebody');
	mkdirSync(join(folder, 'docs'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function edit(name: string, from: RegExp | string, to: string) {
	const file = join(folder, name);
	writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

async function check(project: string, tag: string): Promise<string> {
	const { stdout, stderr } = await run(process.execPath, [SCRIPT, tag], { cwd: project }).catch(
		(error: { stdout: string; stderr: string }) => error,
	);
	return stdout + stderr;
}

test('what is filled in can be published under the tag of its version', async () => {
	expect(await check(folder, manifest.version)).toBe(`${manifest.version} can be published.\n`);
});

test('a tag that is not the version is refused', async () => {
	expect(await check(folder, '9.9.9')).toBe(
		`The tag is 9.9.9, the version in package.json ${manifest.version}.\n`,
	);
});

test('nothing is published while a placeholder is left in what people read', async () => {
	const file = join('docs', 'page.md');
	writeFileSync(join(folder, file), 'One\nSee https://example.com/to-be-filled-in\n');
	expect(await check(folder, manifest.version)).toBe(
		`${file}:2: fill in See https://example.com/to-be-filled-in\n`,
	);
	rmSync(join(folder, file));
});

test('nothing but package.json and the README has something to fill in', async () => {
	const left = [...(await check('.', manifest.version)).matchAll(/^(.+):\d+: fill in /gm)];
	const places = left.map(([, file]) => file);
	expect(places.filter((file) => !['package.json', 'README.md'].includes(file))).toEqual([]);
});
