import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../../../playground/eventually.mts';

// CONTRIBUTING.md, One day's work: npm run dev
test('a changed source is built, and only the files that it changes are replaced', async () => {
	const project = fs.mkdtempSync(join(tmpdir(), 'dev-'));
	for (const name of ['nodes', 'credentials', 'gulpfile.js', 'package.json']) {
		fs.cpSync(name, join(project, name), { recursive: true });
	}
	fs.symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');
	const installed = join(project, 'installed');
	const gulp = spawn(process.execPath, ['node_modules/gulp/bin/gulp.js', 'dev'], {
		cwd: project,
		env: { ...process.env, INSTALLED_PACKAGE: installed },
		stdio: 'ignore',
	});

	const built = (name: string) => join(installed, 'dist/nodes/BusinessMessaging', name);
	const [action, trigger] = ['', 'Trigger'].map((end) => built(`BusinessMessaging${end}.node.js`));
	const has = (file: string, text: string) =>
		fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(text);
	const source = join(project, 'nodes/BusinessMessaging/BusinessMessaging.node.ts');
	const original = fs.readFileSync(source, 'utf8');
	const write = (name: string) =>
		fs.writeFileSync(source, original.replace("'Business Messaging'", `'${name}'`));

	await eventually('the first build', async () => {
		// Gulp does not say when it begins to watch.
		write('Changed once');
		await sleep(1000);
		return has(action, 'Changed once') && has(trigger, 'Trigger');
	});
	const { mtimeMs } = fs.statSync(trigger);
	write('Changed twice');
	await eventually('the second build', () => has(action, 'Changed twice'));
	expect(fs.statSync(trigger).mtimeMs).toBe(mtimeMs);
	expect(has(built('__schema__/v2.0.0.json'), 'phone')).toBe(true);

	gulp.kill();
	await once(gulp, 'close');
	fs.rmSync(project, { recursive: true });
});
