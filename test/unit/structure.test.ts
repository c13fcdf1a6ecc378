import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Icon, INodeTypeDescription } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

interface Manifest {
	name: string;
	private?: boolean;
	scripts: Record<string, string>;
	files: string[];
	n8n: { nodes: string[]; credentials: string[] };
	peerDependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}

interface Codex {
	node: string;
	categories: string[];
	alias: string[];
	resources: Record<string, Array<{ url: string }>>;
}

function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const NODE_FOLDER = 'nodes/BusinessMessaging';
const manifest = readJson<Manifest>('package.json');
const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

const nodes: Array<[string, INodeTypeDescription]> = [
	['BusinessMessaging', new BusinessMessaging().description],
	['BusinessMessagingTrigger', new BusinessMessagingTrigger().description],
];

function iconFiles(icon: Icon | undefined, folder: string): string[] {
	if (typeof icon !== 'object') throw new Error('An icon needs a light and a dark file');
	return [icon.light, icon.dark].map((path) => join(folder, path.replace('file:', '')));
}

describe('package.json', () => {
	it('lists every node and credential, and nothing that does not exist', () => {
		const listed = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map(sourceOf);
		const present = globSync(['credentials/*.credentials.ts', 'nodes/**/*.node.ts']);
		expect(listed.sort()).toEqual(present.sort());
	});

	it.each([...manifest.n8n.credentials, ...manifest.n8n.nodes])(
		'%s exports a class named like its file, as n8n looks for it',
		(built) => {
			const [className] = basename(built).split('.');
			const source = readFileSync(sourceOf(built), 'utf8');
			expect(source).toContain(`export class ${className} implements `);
		},
	);

	it('brings no dependency, and takes n8n-workflow as n8n has it', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest).not.toHaveProperty('bundledDependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('runs nothing when it is installed, packed or published', () => {
		const lifecycle = /^(?:pre|post)?(?:install|prepare|pack|publish|publishOnly)$/i;
		expect(Object.keys(manifest.scripts).filter((name) => lifecycle.test(name))).toEqual([]);
	});

	it('pins every tool', () => {
		const versions = Object.values(manifest.devDependencies);
		expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	});
});

describe.each(nodes)('%s', (className, description) => {
	const codex = readJson<Codex>(join(NODE_FOLDER, `${className}.node.json`));

	it('has the name of its class', () => {
		expect(description.name).toBe(className[0].toLowerCase() + className.slice(1));
	});

	it('has a codex with its id', () => {
		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
	});

	it.each(['WhatsApp', 'Template', 'OTP', 'SMS'])('is found by searching for %s', (word) => {
		expect(codex.alias).toContain(word);
		expect(codex).not.toHaveProperty('aliases');
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
		expect(description.credentials?.map(({ name }) => name)).toEqual([
			new BusinessMessagingApi().name,
		]);
	});
});

it('offers the action as a tool for AI agents, and not the trigger (peers, bug 10)', () => {
	expect(new BusinessMessaging().description.usableAsTool).toBe(true);
	expect(new BusinessMessagingTrigger().description.usableAsTool).toBeUndefined();
});

describe('BusinessMessagingApi', () => {
	it('has icons that exist', () => {
		const [credential] = manifest.n8n.credentials;
		const icons = iconFiles(new BusinessMessagingApi().icon, dirname(sourceOf(credential)));
		expect(icons.filter((file) => !existsSync(file))).toEqual([]);
	});
});

describe('third-party notices', () => {
	it.each(['libphonenumber-js/LICENSE', 'libphonenumber-js/LICENSE.Apache', 'ipaddr.js/LICENSE'])(
		'carry %s, whose library is bundled',
		(name) => {
			const license = readFileSync(join('node_modules', name), 'utf8');
			const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
			expect(manifest.files).toContain('THIRD-PARTY-NOTICES.txt');
			expect(words(readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8'))).toContain(words(license));
		},
	);
});
