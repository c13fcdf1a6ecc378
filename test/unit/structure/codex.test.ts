import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { manifest, NODE_FOLDER, nodes, readJson } from './project.ts';

interface Codex {
	node: string;
	nodeVersion: string;
	categories: string[];
	alias: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', Array<{ url: string }>>;
}

/** What n8n's lint allows a community package, in its rule "valid-node-categories". */
const CATEGORIES = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
];

it('every node has a codex file, and no codex file is left over', () => {
	const files = globSync(`${NODE_FOLDER}/*.node.json`).map((file) => basename(file, '.node.json'));
	expect(files.sort()).toEqual(nodes.map(([className]) => className).sort());
});

describe.each(nodes)('the codex of %s', (className, description) => {
	const codex = readJson<Codex>(join(NODE_FOLDER, `${className}.node.json`));

	it('has the ID and the version of its node', () => {
		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
		expect(Number(codex.nodeVersion)).toBe(description.version);
	});

	it('puts it into categories that n8n allows, first of all Communication', () => {
		expect(codex.categories[0]).toBe('Communication');
		expect(codex.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
		// Only nodes of AI may have them.
		expect(codex).not.toHaveProperty('subcategories');
	});

	it.each(['WhatsApp', 'Template', 'OTP', 'SMS', 'Message', 'Chat'])(
		'lets it be found by searching for %s',
		(word) => {
			expect(codex.alias).toContain(word);
			expect(codex).not.toHaveProperty('aliases');
		},
	);

	it('has no word twice', () => {
		const words = codex.alias.map((word) => word.toLowerCase());
		expect(new Set(words).size).toBe(words.length);
	});

	it('leads to the README, and to its part about the credential, as the credential does', () => {
		const { primaryDocumentation, credentialDocumentation } = codex.resources;
		expect(primaryDocumentation).toEqual([{ url: manifest.homepage }]);
		expect(credentialDocumentation).toEqual([{ url: new BusinessMessagingApi().documentationUrl }]);
		expect(new BusinessMessagingApi().documentationUrl).toBe(
			manifest.homepage.replace('#readme', '#credentials'),
		);
	});
});
