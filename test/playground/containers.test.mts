import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';

// Whether the services find each other is seen by .github/workflows/containers.yml, which plays the demo in them.
const { services } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
	services: Record<string, { command?: string[]; ports?: string[] }>;
};
const image = readFileSync('Dockerfile', 'utf8');
const versionIn = (path: string, name: string) => {
	const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>;
	return { ...manifest.dependencies, ...manifest.devDependencies }[name];
};

// README, Try it without an account: in containers
test('the images are of the n8n and the Node.js that the tests run with', () => {
	const n8n = versionIn('playground/n8n/package.json', 'n8n');
	expect(image).toContain(`ARG PLAYGROUND_N8N_IMAGE=n8nio/n8n:${n8n}\n`);
	expect(image).toContain(`FROM node:${versionIn('package.json', 'node')}-`);
});

test('the image has the packed nodes where n8n looks for them', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'image-'));
	const project = join(folder, 'project');
	const ignored = readFileSync('.dockerignore', 'utf8').replaceAll('**/', '').split('\n');
	const unneeded = ['playground', 'test', 'bench', 'docs', 'examples', ...ignored];
	await mkdir(project);
	await cp('.', project, { recursive: true, filter: (path) => !unneeded.includes(path) });
	await symlink(resolve('node_modules'), join(project, 'node_modules'), 'junction');

	const [, stage] = /^FROM project AS packed\n([^]*?)\n\n/m.exec(image) ?? [];
	let place = project;
	for (const [, instruction, value] of stage.matchAll(/^(RUN|WORKDIR) (.*)$/gm)) {
		const here = value.replaceAll('/tmp', folder).replace(/^\/nodes/, join(folder, 'nodes'));
		if (instruction === 'WORKDIR') await mkdir((place = here), { recursive: true });
		else expect(spawnSync(here, { cwd: place, shell: true }).status).toBe(0);
	}
	const built =
		'n8n-nodes-business-messaging/dist/nodes/BusinessMessaging/BusinessMessaging.node.js';
	expect(existsSync(join(folder, 'nodes/node_modules', built))).toBe(true);
	expect(image).toContain('/nodes /home/node/.n8n/nodes');
	await rm(folder, { recursive: true });
});

/** What the image of the local API copies, with the packages of the local API and no others. */
async function copyImageOfApi() {
	const folder = await mkdtemp(join(tmpdir(), 'image-'));
	const [, stage] = /^FROM node:\S+ AS api\n([^]*?)\n\n/m.exec(image) ?? [];
	expect(stage).toContain('\nRUN npm ci --ignore-scripts --prefix playground/api\n');
	const filter = (path: string) => !path.includes('node_modules');
	for (const [, copied] of stage.matchAll(/^COPY (.*)$/gm)) {
		const [target, ...sources] = copied.split(' ').reverse();
		for (const source of sources) {
			const place = target.endsWith('/') ? join(target, basename(source)) : target;
			await cp(source, join(folder, place), { recursive: true, filter });
		}
	}
	const modules = resolve('node_modules');
	await symlink(modules, join(folder, 'playground/api/node_modules'), 'junction');
	const [, command] = /^CMD (.*)$/m.exec(stage) ?? [];
	return { folder, command: JSON.parse(command) as string[] };
}

test('the image of the local API has what its command needs, and what sets the demo up', async () => {
	const { folder, command } = await copyImageOfApi();
	const start = async ([, ...parameters]: string[]) => {
		const child = spawn(process.execPath, parameters, { cwd: folder });
		return { child, said: String(await once(child.stdout, 'data')) };
	};
	const api = await start([...command, '--port', '0']);
	const [, port] = /:(\d+)/.exec(api.said) ?? [];
	expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
	const setup = await start(services.setup.command ?? []);
	expect(setup.said).toBe('Waiting for n8n …\n');
	for (const { child } of [api, setup]) {
		child.kill('SIGTERM');
		await once(child, 'close');
	}
	await rm(folder, { recursive: true });
});

test('every port is open to this computer only', () => {
	const ports = Object.values(services).flatMap((service) => service.ports ?? []);
	expect(ports).toHaveLength(3);
	expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});
