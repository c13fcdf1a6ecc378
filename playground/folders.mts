import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from './setupProblem.mts';

// npm and jest both start in the project folder; `import.meta` is not to be had under jest.
export const projectFolder = process.cwd();
export const cacheFolder = join(projectFolder, '.cache');
/** The pinned n8n, or the one whose folder `PLAYGROUND_N8N` names: see scripts/e2eCore.mjs. */
export const n8nFolder = join(projectFolder, process.env.PLAYGROUND_N8N ?? 'playground/n8n');

if (!existsSync(join(n8nFolder, 'package.json'))) {
	throw new SetupProblem('Run this in the project folder, for example with: npm run demo.');
}
