import type { Icon } from 'n8n-workflow';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { manifest, NODE_FOLDER, nodes, readJson } from './project.ts';

const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
const listed = [...manifest.n8n.credentials, ...manifest.n8n.nodes];

function iconFiles(icon: Icon | undefined, folder: string): string[] {
	if (typeof icon !== 'object') throw new Error('An icon needs a light and a dark file');
	return [icon.light, icon.dark].map((path) => join(folder, path.replace('file:', '')));
}

describe('package.json', () => {
	it('lists every node and credential, and nothing that does not exist', () => {
		const present = globSync(['credentials/*.credentials.ts', 'nodes/**/*.node.ts']);
		expect(listed.map(sourceOf).sort()).toEqual(present.sort());
	});

	it.each(listed)('%s exports a class named like its file, as n8n looks for it', (built) => {
		const [className] = basename(built).split('.');
		const source = readFileSync(sourceOf(built), 'utf8');
		expect(source).toContain(`export class ${className} implements `);
	});

	// SECURITY, The package: no dependency
	it('brings no dependency, and takes n8n-workflow as n8n has it', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest).not.toHaveProperty('bundledDependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	// SECURITY, The package: runs nothing
	it('runs nothing when it is installed, packed or published', () => {
		const lifecycle = /^(?:pre|post)?(?:install|prepare|pack|publish|publishOnly)$/i;
		expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
	});

	it('pins every tool', () => {
		const versions = Object.values(manifest.devDependencies);
		expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	});

	// README, Try it without an account: npm ci, with the npm of each Node.js; CI asks them
	it('locks no package that is only a peer, because versions of npm disagree about those', () => {
		const { packages } = readJson<{ packages: Record<string, { peer?: true }> }>(
			'package-lock.json',
		);
		expect(Object.keys(packages).filter((path) => packages[path].peer)).toEqual([]);
	});

	it('is found in the registry as an n8n community node, and by what it is for', () => {
		expect(manifest.keywords).toEqual(
			expect.arrayContaining(['n8n-community-node-package', 'whatsapp', 'template', 'otp']),
		);
	});

	it('leads to its page in the registry, and is the only place that names the repository', () => {
		expect(manifest.homepage).toBe(`https://www.npmjs.com/package/${manifest.name}#readme`);
		const repository = /^git\+https:\/\/(github\.com\/[\w-]+\/[\w-]+)\.git$/;
		const [, address] = repository.exec(manifest.repository.url) ?? [];
		expect(address).toBeDefined();
		const files = globSync([
			'*.md',
			'docs/*.md',
			'examples/*',
			'credentials/*',
			'nodes/**/*.{ts,json}',
		]);
		expect(files.filter((file) => readFileSync(file, 'utf8').includes(address))).toEqual([]);
	});

	// What that demands is checked by `npm run lint:n8n`.
	it('is marked as one that n8n Cloud can have', () => {
		expect(manifest.n8n.strict).toBe(true);
	});

	it('publishes only what exists', () => {
		const files = manifest.files.filter((name) => name !== 'dist');
		expect(files).toHaveLength(manifest.files.length - 1);
		expect(files.filter((name) => !existsSync(name))).toEqual([]);
	});
});

describe.each(nodes)('%s', (className, description) => {
	it('has the name of its class', () => {
		expect(description.name).toBe(className[0].toLowerCase() + className.slice(1));
	});

	it('is called on the canvas as in the list of nodes', () => {
		expect(description.defaults.name).toBe(description.displayName);
	});

	it('has a light and a dark icon, both square', () => {
		const [light, dark] = iconFiles(description.icon as Icon, NODE_FOLDER);
		expect(light).not.toBe(dark);
		for (const file of [light, dark]) {
			const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(readFileSync(file, 'utf8')) ?? [];
			expect(width).toBeDefined();
			expect(width).toBe(height);
		}
	});

	it('demands the credential of this package', () => {
		const names = description.credentials?.map(({ name }) => name);
		expect(names).toEqual([new BusinessMessagingApi().name]);
	});

	it('is a tool for AI agents only when it is the action', () => {
		expect(description.usableAsTool).toBe(className === 'BusinessMessaging' ? true : undefined);
	});
});

it('the credential has a light and a dark icon that exist', () => {
	const [credential] = manifest.n8n.credentials;
	const icons = iconFiles(new BusinessMessagingApi().icon, dirname(sourceOf(credential)));
	expect(new Set(icons).size).toBe(2);
	expect(icons.filter((file) => !statSync(file).isFile())).toEqual([]);
});

it('no icon is left over', () => {
	const used = nodes.flatMap(([, { icon }]) => iconFiles(icon as Icon, NODE_FOLDER));
	expect(globSync(`${NODE_FOLDER}/**/*.{svg,png}`).sort()).toEqual(used.sort());
});
