import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { projectFolder } from '../folders.mts';

/** An n8n that is started with it reloads the nodes when their files change. */
export const RELOADING = { N8N_DEV_RELOAD: 'true' };

/** Builds on each change of the nodes, and replaces their installed files. @returns ends that */
export function rebuildOnChange(installed: string): () => void {
	const gulp = createRequire(join(projectFolder, 'package.json')).resolve('gulp');
	const child = spawn(process.execPath, [join(dirname(gulp), 'bin', 'gulp.js'), 'dev'], {
		cwd: projectFolder,
		env: { ...process.env, INSTALLED_PACKAGE: installed },
		stdio: 'inherit',
	});
	return () => void child.kill();
}
