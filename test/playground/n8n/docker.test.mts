import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { startProcess } from '../../../playground/n8n/process.mts';

/** Notes how it is called. With `run` it answers as n8n does, until it is told to stop. */
const DOCKER = `#!/usr/bin/env node
const { appendFileSync } = require('node:fs');
const [command] = process.argv.slice(2);
const { N8N_PORT, NODE_ENV, N8N_ENCRYPTION_KEY } = process.env;
const call = { parameters: process.argv.slice(2), env: { N8N_PORT, NODE_ENV, N8N_ENCRYPTION_KEY } };
appendFileSync(__dirname + '/calls', JSON.stringify(call) + '\\n');
if (command === 'run') {
	process.once('SIGTERM', () => {
		appendFileSync(__dirname + '/stopped', '');
		process.exit();
	});
	const answer = (_, response) => response.setHeader('content-type', 'application/json').end('{}');
	require('node:http').createServer(answer).listen(N8N_PORT, '127.0.0.1');
}`;

const { PATH } = process.env;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'docker-'));
	writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
	Object.assign(process.env, {
		PATH: `${folder}:${PATH}`,
		PLAYGROUND_N8N_IMAGE: 'n8nio/n8n:3.0.0',
		N8N_ENCRYPTION_KEY: 'of this machine',
	});
});

afterEach(() => {
	process.env.PATH = PATH;
	delete process.env.PLAYGROUND_N8N_IMAGE;
	delete process.env.N8N_ENCRYPTION_KEY;
	rmSync(folder, { recursive: true });
});

test('n8n of an image is started by docker with our files, network and settings, stopped, and removed', async () => {
	const { startProcess: start } = jest.requireActual<{ startProcess: typeof startProcess }>(
		'../../../playground/n8n/process.mts',
	);
	const n8n = await start({ userFolder: folder, env: { DB_TYPE: 'sqlite' } });
	await n8n.stop();
	expect(existsSync(join(folder, 'stopped'))).toBe(true);

	const lines = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
	const [run, remove] = lines.map((line) => JSON.parse(line));
	const { port } = new URL(n8n.url);
	const name = `n8n-playground-${port}`;
	expect(remove.parameters).toEqual(['rm', '--force', name]);
	expect(run.env).toEqual({ N8N_PORT: port, NODE_ENV: 'production' });

	const { parameters } = run as { parameters: string[] };
	expect(parameters.slice(0, 6)).toEqual(['run', '--rm', '--name', name, '--network', 'host']);
	expect(parameters.slice(-2)).toEqual(['n8nio/n8n:3.0.0', 'start']);
	const valuesOf = (option: string) => parameters.filter((_, at) => parameters[at - 1] === option);
	expect(valuesOf('--user')).toEqual([`${process.getuid?.()}:${process.getgid?.()}`]);
	expect(valuesOf('--volume')).toEqual([`${folder}:${folder}`]);
	const variables = valuesOf('--env');
	expect(variables).toEqual(expect.arrayContaining(['N8N_PORT', 'N8N_USER_FOLDER', 'DB_TYPE']));
	expect(variables).not.toContain('PATH');
});
