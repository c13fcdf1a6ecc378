import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
	anchorOf,
	boldLines,
	captured,
	codeSpans,
	headings,
	linksOf,
	tableOf,
	textOf,
} from './markdown.mts';
import { manifest } from './project.mts';

const DOCUMENTS = globSync(['*.md', '{docs,examples,bench,test,playground/api}/*.md']);

/** What the documents name that does not exist, and where. */
function missing(
	documents: string[],
	namesIn: (file: string) => string[],
	exists: (name: string, file: string) => boolean,
): Array<{ file: string; name: string }> {
	const named = documents.flatMap((file) => namesIn(file).map((name) => ({ file, name })));
	// Otherwise the pattern finds nothing any more.
	expect(named).not.toEqual([]);
	return named.filter(({ file, name }) => !exists(name, file));
}

/** Whether a link, relative to the document, leads to a file, and to a heading in it. */
function leadsSomewhere(link: string, file: string): boolean {
	const [path, anchor] = link.split('#');
	const target = path ? join(dirname(file), path) : file;
	if (!existsSync(target)) return false;
	return anchor === undefined || headings(target).map(anchorOf).includes(anchor);
}

it('links lead to files and headings that exist', () => {
	const isElsewhere = (link: string) => /^(https?|mailto):/.test(link);
	const inRepository = (file: string) => linksOf(file).filter((link) => !isElsewhere(link));
	expect(missing(DOCUMENTS, inRepository, leadsSomewhere)).toEqual([]);
});

it('pictures exist, also those of the README, which npm takes from GitHub', () => {
	const onGitHub = manifest.repository.url
		.replace('git+https://github.com/', 'https://raw.githubusercontent.com/')
		.replace(/\.git$/, '/main/');
	const addresses = (file: string) =>
		captured(readFileSync(file, 'utf8'), /(?:src|srcset)="([^"]+)"/g);
	const pictures = (file: string) => addresses(file).map((link) => link.replace(onGitHub, ''));
	expect(missing(DOCUMENTS, pictures, leadsSomewhere)).toEqual([]);
});

it('npm scripts exist, in code blocks too', () => {
	const scripts = (file: string) => captured(readFileSync(file, 'utf8'), /npm run ([\w:]+)/g);
	expect(missing(DOCUMENTS, scripts, (name) => name in manifest.scripts)).toEqual([]);
});

it.each(['CONTRIBUTING.md', 'RELEASING.md', 'N8N.md', 'test/README.md'])(
	'files and folders in %s exist',
	(document) => {
		const hasEnding = (name: string) => /\w\.(m?ts|mjs|json|md|txt|yml)$/.test(name);
		/** No command, no pattern such as `*.node.json`, no path of the API such as `/status`. */
		const isPlain = (span: string) => /^\.?\w[\w./-]*$/.test(span);
		const isMadeByTests = (path: string) => path.startsWith('.cache/');
		const isPath = (span: string) => isPlain(span) && (span.includes('/') || hasEnding(span));
		const paths = (file: string) =>
			codeSpans(textOf(file)).filter((span) => isPath(span) && !isMadeByTests(span));
		const exists = (path: string) =>
			['', 'nodes/BusinessMessaging', 'test'].some((folder) => existsSync(join(folder, path)));
		expect(missing([document], paths, exists)).toEqual([]);
	},
);

it('comments name lines of N8N.md that exist', () => {
	const lines = tableOf('N8N.md', 'Name').map(([name]) => name);
	const named = (file: string) => captured(readFileSync(file, 'utf8'), /N8N\.md: ([\w.-]*\w)/g);
	const exists = (name: string) => lines.includes(name);
	expect(missing(globSync('nodes/**/*.ts'), named, exists)).toEqual([]);
});

/** Beside a test: `// README, Credentials: the promise` or `// docs/sending.md: the promise`. */
const PROMISE = /^\s*\/\/ (README|SECURITY|docs\/[\w-]+\.md)(?:, ([^:\n]+))?: ./gm;

it('promises that tests name stand in documents and parts that exist', () => {
	/** "Top" is the text before the first heading. */
	const partsOf = (file: string) => ['Top', ...headings(file), ...boldLines(file)];
	const promises = globSync(['test/**/*.mts', 'scripts/*.mjs']).flatMap((test) =>
		[...readFileSync(test, 'utf8').matchAll(PROMISE)].map(([, document, part = 'Top']) => {
			return { test, file: document.endsWith('.md') ? document : `${document}.md`, part };
		}),
	);
	const ofPages = promises.filter(({ file }) => file.startsWith('docs/'));
	expect(ofPages.length).toBeGreaterThan(20);
	expect(promises.length - ofPages.length).toBeGreaterThan(20);
	expect(
		promises.filter(({ file, part }) => !existsSync(file) || !partsOf(file).includes(part)),
	).toEqual([]);
});
