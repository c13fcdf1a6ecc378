import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { eventually } from '../../../playground/eventually.mts';

// CONTRIBUTING.md, One day's work: npm run dev
test('a changed source is built, and only the files that it changes are replaced', async () => {
	const project = mkdtempSync(join(tmpdir(), 'dev-'));
	for (const name of ['nodes', 'credentials', 'gulpfile.js', 'package.json']) {
		cpSync(name, join(project, name), { recursive: true });
	}
	symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');
	const installed = join(project, 'installed');
	const gulp = spawn(process.execPath, ['node_modules/gulp/bin/gulp.js', 'dev'], {
		cwd: project,
		env: { ...process.env, INSTALLED_PACKAGE: installed },
	});
	let output = '';
	gulp.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	await eventually('gulp', () => output.includes("Starting 'dev'"));

	const built = (name: string) => join(installed, 'dist/nodes/BusinessMessaging', name);
	const [action, trigger] = ['', 'Trigger'].map((end) => built(`BusinessMessaging${end}.node.js`));
	const source = join(project, 'nodes/BusinessMessaging/BusinessMessaging.node.ts');
	const change = async (word: string) => {
		const text = readFileSync(source, 'utf8');
		const shown = `Business Messaging, ${word}`;
		// The watch begins a moment after gulp says so.
		return await eventually('the change', async () => {
			writeFileSync(
				source,
				text.replace(/displayName: 'Business Messaging.*'/, `displayName: '${shown}'`),
			);
			await eventually('the build', () => contains(action, shown), 3000).catch(() => false);
			return contains(action, shown);
		});
	};
	await change('once');
	await eventually('the whole build', () => contains(trigger, 'Trigger'));
	const writtenAt = statSync(trigger).mtimeMs;
	await change('twice');
	expect(statSync(trigger).mtimeMs).toBe(writtenAt);
	expect(contains(built('__schema__/v2.0.0.json'), 'phone')).toBe(true);

	gulp.kill();
	await once(gulp, 'close');
	rmSync(project, { recursive: true });
});

function contains(file: string, text: string): boolean {
	try {
		return readFileSync(file, 'utf8').includes(text);
	} catch {
		return false;
	}
}
