import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { anchorOf, headings, textOf } from './markdown.ts';
import { manifest, NODE_FOLDER } from './project.ts';

const DOCUMENTS = [
	'README.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'CHANGELOG.md',
	'docs/ask-and-wait.md',
	'docs/first-message.md',
	'docs/local-api.md',
	'docs/outputs.md',
	'docs/scaling.md',
	'docs/troubleshooting.md',
	'docs/video.md',
	'examples/README.md',
];
const GUIDES = ['README.md', 'docs/ask-and-wait.md', 'docs/first-message.md'];

describe.each(DOCUMENTS)('%s', (file) => {
	it('links to files and headings that exist', () => {
		const links = [...textOf(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)];
		const dead = links
			.map(([, link]) => link)
			.filter((link) => {
				const [path, anchor] = link.split('#');
				const target = path ? join(dirname(file), path) : file;
				if (!existsSync(target)) return true;
				return anchor !== undefined && !headings(target).map(anchorOf).includes(anchor);
			});
		expect(dead).toEqual([]);
	});

	it('names npm scripts that exist', () => {
		const named = [...readFileSync(file, 'utf8').matchAll(/npm run ([\w:]+)/g)];
		expect(named.map(([, script]) => script).filter((name) => !manifest.scripts[name])).toEqual([]);
	});
});

it('every picture is shown, light and dark, and every picture that is shown exists', () => {
	const shown = GUIDES.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) =>
			join(dirname(file), path),
		),
	);
	expect([...new Set(shown)].sort()).toEqual(globSync('docs/*.png').sort());
});

/** A code span with a slash or an ending; commands and patterns such as `*.node.json` are none. */
const PATH = /`((?:\.\w+\/)?\w[\w.-]*(?:(?:\/[\w.-]*)+|\.(?:ts|mjs|json|md|txt|yml)))`/g;

it.each(['CONTRIBUTING.md', 'SECURITY.md'])('%s names files and folders that exist', (file) => {
	const named = [...textOf(file).matchAll(PATH)].map(([, path]) => path);
	expect(named).not.toEqual([]);
	const places = (path: string) => [path, join(NODE_FOLDER, path)];
	expect(named.filter((path) => !places(path).some((place) => existsSync(place)))).toEqual([]);
});

it('CONTRIBUTING.md has every folder of the nodes in its tree', () => {
	const tree = /^```text\n([^]*?)^```$/m.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[1] ?? '';
	const folders = ['actions', 'events', 'template', 'transport', '__schema__'];
	for (const folder of folders) expect(tree).toContain(`${folder}/`);
});
