import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `n8n-node lint`, in strict mode, on what is published. Its rules are for that only: they forbid Node's own
 * modules, and its configuration, which strict mode wants unchanged, would take in the tests and `.cache`.
 */
const LINTED = ['package.json', 'tsconfig.json', 'eslint.config.mjs', 'nodes', 'credentials'];
const project = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'lint-as-n8n-'));
try {
	for (const name of LINTED) cpSync(join(project, name), join(folder, name), { recursive: true });
	const modules = join(folder, 'node_modules');
	symlinkSync(join(project, 'node_modules'), modules, 'junction');
	const n8nNode = join(modules, '@n8n/node-cli/bin/n8n-node.mjs');
	const { status } = spawnSync(process.execPath, [n8nNode, 'lint'], {
		cwd: folder,
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
} finally {
	rmSync(folder, { recursive: true });
}
