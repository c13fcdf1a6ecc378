// Writes the list "Failures of the node" of docs/troubleshooting.md. With --check it fails if the list is not fresh.
import { transformSync } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const project = join(import.meta.dirname, '..');
const PAGE = join(project, 'docs', 'troubleshooting.md');
const CATALOGUE = join(project, 'nodes', 'BusinessMessaging', 'errors', 'catalogue.ts');

// Node.js 20 does not read TypeScript.
const { code } = transformSync(readFileSync(CATALOGUE, 'utf8'), { loader: 'ts' });
const { FAILURES } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** By which HTTP status a reader may search. */
const STATUS = {
	keyRejected: '401',
	noApiAccess: '403',
	rateLimited: '429',
	apiBroken: '5xx',
};

const CONCERNED = {
	message: 'Only its own message',
	template: 'All messages of the template',
	all: 'All requests',
	unclear: 'All requests, if several fail in a row',
};

function named([code, { networkCode = STATUS[code], undocumentedCodes = [] }]) {
	const numbers = [networkCode ?? [], undocumentedCodes.map((number) => `${number}\\*`)].flat();
	return numbers.length > 0 ? `\`${code}\` (${numbers.join(', ')})` : `\`${code}\``;
}

const list = Object.entries(CONCERNED)
	.map(([about, title]) => {
		const failures = Object.entries(FAILURES).filter(([, failure]) => failure.about === about);
		return `- ${title}: ${failures.map(named).join(', ')}`;
	})
	.join('\n');
const page = readFileSync(PAGE, 'utf8');
const written = page.replace(
	/(<!-- failures: .* -->\n)[^]*?(<!-- \/failures -->)/,
	(_, begin, end) => `${begin}\n${list}\n\n${end}`,
);
const fresh = await format(written, { ...(await resolveConfig(PAGE)), filepath: PAGE });

if (!process.argv.includes('--check')) {
	writeFileSync(PAGE, fresh);
} else if (fresh !== page) {
	console.error('docs/troubleshooting.md is not fresh: run "node scripts/troubleshooting.mjs"');
	process.exitCode = 1;
}
