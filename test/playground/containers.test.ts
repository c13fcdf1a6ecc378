import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

import { queueEnvironment } from '../../playground/cluster/environment.ts';
import { localApis } from './api/client.ts';

interface Service {
	build?: { target: string };
	environment?: Record<string, string>;
	command?: string[];
	healthcheck?: { test: string[] };
	networks?: { default: { aliases: string[] } };
	ports?: string[];
}

jest.setTimeout(120_000);
const start = localApis();
const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
	services: Record<string, Service>;
};
const image = readFileSync('Dockerfile', 'utf8');
const versionIn = (path: string, name: string) => {
	const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>;
	return { ...manifest.dependencies, ...manifest.devDependencies }[name];
};

// README, Try it without an account: in containers
test('the images are of the n8n and the Node.js that the tests run with', () => {
	expect(/FROM n8nio\/n8n:(\S+)/.exec(image)?.[1]).toBe(
		versionIn('playground/n8n/package.json', 'n8n'),
	);
	expect(/FROM node:([\d.]+)/.exec(image)?.[1]).toBe(versionIn('package.json', 'node'));
});

test('the image has the packed nodes where n8n looks for them', () => {
	const folder = mkdtempSync(join(tmpdir(), 'image-'));
	const project = join(folder, 'project');
	const ignored = readFileSync('.dockerignore', 'utf8').replaceAll('**/', '').split('\n');
	const unneeded = ['playground', 'test', 'bench', 'docs', 'examples', ...ignored];
	mkdirSync(project);
	cpSync('.', project, { recursive: true, filter: (path) => !unneeded.includes(path) });
	symlinkSync(resolve('node_modules'), join(project, 'node_modules'), 'junction');

	const [, stage] = /^FROM project AS packed\n([^]*?)\n\n/m.exec(image) ?? [];
	let place = project;
	for (const [, instruction, value] of stage.matchAll(/^(RUN|WORKDIR) (.*)$/gm)) {
		const here = value.replaceAll('/tmp', folder).replace(/^\/nodes/, join(folder, 'nodes'));
		if (instruction === 'WORKDIR') mkdirSync((place = here), { recursive: true });
		else expect(spawnSync(here, { cwd: place, shell: true }).status).toBe(0);
	}
	const built =
		'n8n-nodes-business-messaging/dist/nodes/BusinessMessaging/BusinessMessaging.node.js';
	expect(existsSync(join(folder, 'nodes/node_modules', built))).toBe(true);
	expect(image).toContain('/nodes /home/node/.n8n/nodes');
	rmSync(folder, { recursive: true });
});

test('the local API starts by the command of its image, and answers', async () => {
	const [command] = [...image.matchAll(/^CMD (.*)$/gm)].map(
		([, json]) => JSON.parse(json) as string[],
	);
	const child = spawn(process.execPath, [...command.slice(1), '--port', '0']);
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const [, port] = /:(\d+)/.exec(line.toString()) ?? [];
	expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
	child.kill('SIGINT');
	await once(child, 'close');
});

test('every port is open to this computer only', async () => {
	const ports = Object.values(services).flatMap((service) => service.ports ?? []);
	expect(ports).toHaveLength(3);
	expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
	expect(services.api.ports?.[0]).toContain(`:${new URL((await documentedUrl()) as string).port}`);
});

test.each([
	['n8n', 'n8n'],
	['main', 'webhook'],
])(
	'the address that %s gives links and events leads there from a browser, and to %s from the local API',
	(name, receiver) => {
		const { N8N_WEBHOOK_URL, N8N_PORT = '5678' } = services[name].environment ?? {};
		const { hostname, port } = new URL(N8N_WEBHOOK_URL);
		// Which browsers take for this computer.
		expect(hostname).toMatch(/\.localhost$/);
		expect(services[name].ports).toEqual([`127.0.0.1:${port}:${N8N_PORT}`]);

		const named = Object.entries(services).filter(([, { networks }]) =>
			networks?.default.aliases.includes(hostname),
		);
		expect(named.map(([service]) => service)).toEqual([receiver]);
		expect(named[0][1].environment).toEqual(services[name].environment);
		expect(port).toBe(N8N_PORT);
		// Where n8n's own task runners are served, in each process.
		expect(N8N_PORT).not.toBe('5679');
	},
);

async function documentedUrl() {
	const document = (await (await fetch(`${(await start()).url}/openapi.json`)).json()) as {
		servers: Array<{ url: string }>;
	};
	return document.servers[0].url;
}

test('queue mode has two webhook processes and two workers, with what a cluster is tested with', () => {
	const commands = ['main', 'webhook', 'worker'].map((name) => services[name].command);
	expect(commands).toEqual([['start'], ['webhook'], ['worker']]);
	const tested = queueEnvironment('redis://redis', 'postgres://n8n:password@postgres/n8n');
	// n8n's defaults, and a proxy that is not there.
	const left = /REDIS_(PORT|USERNAME|PASSWORD|DB)$|_PORT$|PROXY_HOPS$/;
	const needed = Object.keys(tested).filter((name) => !left.test(name));
	for (const name of ['main', 'webhook', 'worker']) {
		expect(Object.keys(services[name].environment ?? {})).toEqual(expect.arrayContaining(needed));
	}
});

test.each([
	[200, 0],
	[503, 1],
])('the health check takes an answer %i of n8n for %i', async (status, code) => {
	const server = createServer((_request, response) => response.writeHead(status).end('{}'));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const [, , ...check] = services.main.healthcheck?.test ?? [];
	const n8nPort = services.main.environment?.N8N_PORT;
	const here = check.map((part) => part.replace(`:${n8nPort}`, `:${port}`));
	const child = spawn(process.execPath, here);
	expect(await once(child, 'close')).toEqual([code, null]);
	server.close();
});
