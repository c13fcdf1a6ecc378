import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { manifest, readJson } from './project.ts';

const NOTICES = 'THIRD-PARTY-NOTICES.txt';
/** What the build bundles; scripts/checkPackage.mjs compares it with the packed files. */
const LICENSES: Record<string, string[]> = {
	'libphonenumber-js': ['LICENSE', 'LICENSE.Apache'],
	'ipaddr.js': ['LICENSE'],
};
const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');

// SECURITY, The package: the libraries are listed
describe.each(Object.entries(LICENSES))('%s, which is bundled,', (name, licenses) => {
	it.each(licenses)('has the whole text of its %s in the notices', (file) => {
		const license = readFileSync(join('node_modules', name, file), 'utf8');
		expect(words(readFileSync(NOTICES, 'utf8'))).toContain(words(license));
	});

	it('has no other notice that would have to be published', () => {
		expect(existsSync(join('node_modules', name, 'NOTICE'))).toBe(false);
	});
});

it.each(Object.keys(LICENSES))('%s is installed in the version that package.json names', (name) => {
	const installed = readJson<{ version: string }>(join('node_modules', name, 'package.json'));
	expect(installed.version).toBe(manifest.devDependencies[name]);
});

it('the notices are published', () => {
	expect(manifest.files).toContain(NOTICES);
});
