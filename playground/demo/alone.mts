import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from '../setupProblem.mts';

/** Two n8n on one user folder would share a database: refuses to start while another demo runs. */
export function claim(folder: string): { release: () => void } {
	const file = join(folder, 'demo.pid');
	const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
	if (other && isRunning(other)) {
		throw new SetupProblem(
			`The demo is running already: stop it with Ctrl-C (or delete ${file} if process ${other} is another).`,
		);
	}
	writeFileSync(file, String(process.pid));
	return { release: () => rmSync(file, { force: true }) };
}

function isRunning(pid: number) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
