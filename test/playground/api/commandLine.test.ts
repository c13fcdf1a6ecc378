import { spawn } from 'node:child_process';
import { localApis } from './client.ts';

const start = localApis();

function run(...parameters: string[]) {
	const child = spawn(process.execPath, ['playground/api/main.ts', ...parameters], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
	}
	const ended = new Promise<{ exitCode: number | null; output: string }>((resolve) => {
		child.once('close', (exitCode) => resolve({ exitCode, output }));
	});
	return { child, ended };
}

test('starts, says where it listens, and stops with Ctrl-C', async () => {
	const { child, ended } = run('--port', '0', '--webhook', 'http://127.0.0.1:1/hook');
	const line = await new Promise<string>((resolve) => {
		child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
	});
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
	const page = (await (await fetch(`${url}/`)).json()) as { webhookUrls: string[] };
	expect(page.webhookUrls).toEqual(['http://127.0.0.1:1/hook']);
	child.kill('SIGINT');
	expect(await ended).toEqual({ exitCode: 0, output: line });
});

test.each([
	[['--port', '70000'], '--port 70000 is not a port.\n'],
	[['--webhook', 'nowhere'], '--webhook nowhere is not an http address.\n'],
])('%j is answered with one sentence', async (parameters, sentence) => {
	expect(await run(...parameters).ended).toEqual({ exitCode: 1, output: sentence });
});

const USAGE = /npm run api \[-- options\]\n[^]*--port[^]*--webhook[^]*/;

test('--help is answered with the options', async () => {
	const { exitCode, output } = await run('--help').ended;
	expect(output).toMatch(new RegExp(`^${USAGE.source}$`));
	expect(exitCode).toBe(0);
});

test.each([['--unknown'], ['4020']])(
	'%s is refused with the options, without a stack',
	async (parameter) => {
		const { exitCode, output } = await run(parameter).ended;
		expect(output).toMatch(new RegExp(`^.*${parameter}.*\n\n${USAGE.source}$`));
		expect(output).not.toContain('    at ');
		expect(exitCode).toBe(1);
	},
);

test('a port in use is one sentence', async () => {
	const { port } = new URL((await start()).url);
	const { exitCode, output } = await run('--port', port).ended;
	expect(exitCode).toBe(1);
	expect(output).toBe(
		`Port ${port} is in use: stop what listens there, or choose another with --port.\n`,
	);
});
