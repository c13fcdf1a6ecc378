import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs `n8n-node lint`, in strict mode. n8n's rules are for what is published, so the folders that are not have an
 * `eslint.config.mjs` of their own. ESLint 10 finds these by itself, ESLint 9 with this flag.
 */
const n8nNode = join(import.meta.dirname, '../node_modules/@n8n/node-cli/bin/n8n-node.mjs');
const { status } = spawnSync(process.execPath, [n8nNode, 'lint'], {
	env: { ...process.env, ESLINT_FLAGS: 'unstable_config_lookup_from_file' },
	stdio: 'inherit',
});
process.exitCode = status ?? 1;
