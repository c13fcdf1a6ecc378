import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { receive, start } from './client.mts';

const PAGE = 'playground/api/README.md';
const BLOCKS = [...readFileSync(PAGE, 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
	([, language, text]) => ({ language, text }),
);
const ADDRESS = 'http://127.0.0.1:4010';

interface Manifest {
	dependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}
const readJson = <T,>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

// playground/api/README.md: only the web server and the schema validator
test('the local API needs no package but its own, in the versions that the project has', () => {
	const { dependencies } = readJson<Manifest>('playground/api/package.json');
	const imported = globSync(['playground/*.mts', 'playground/api/*.mts'])
		.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/ from '([\w@][^/']*)/g)])
		.flatMap(([, name]) => (name.startsWith('node:') ? [] : name));
	expect([...new Set(imported)].sort()).toEqual(Object.keys(dependencies));
	expect(readJson<Manifest>('package.json').devDependencies).toMatchObject(dependencies);
	const { packages } = readJson<{ packages: object }>('playground/api/package-lock.json');
	expect(packages).toHaveProperty([''], expect.objectContaining({ dependencies }));
});

/** An ID ends with "…" on the page, and times are examples. */
function expected(shown: unknown): unknown {
	if (Array.isArray(shown)) return shown.map(expected);
	if (typeof shown === 'object' && shown !== null) {
		return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, expected(value)]));
	}
	if (typeof shown !== 'string') return shown;
	if (shown.endsWith('…')) return expect.stringMatching(`^${shown.slice(0, -1)}.{36}$`);
	if (/^\d{4}-.*Z$/.test(shown)) return expect.stringMatching(/^\d{4}-.*Z$/);
	return shown;
}

// playground/api/README.md: the commands
test('each curl command is answered as the page shows', async () => {
	const { url, received } = await receive();
	const api = await start({ deliveredAfterMs: 0, readAfterMs: 60_000 });
	const here = (text: string) =>
		text
			.replaceAll(ADDRESS, api.url)
			.replaceAll(/http:\/\/127\.0\.0\.1:3000\/\w+/g, url)
			.replaceAll('msg_…', [...api.messages.keys()][0])
			.replaceAll('dlv_…', api.deliveries[0]?.id);
	const curl = 'curl() { command curl --silent --show-error --fail "$@"; }\n';

	let commands = 0;
	let shown = 0;
	let output = '';
	for (const { language, text } of BLOCKS) {
		if (language === 'sh' && text.startsWith('curl')) {
			commands += 1;
			output = (await promisify(execFile)('sh', ['-ec', curl + here(text)])).stdout;
			if (text.includes('failNext')) expect(api.settings.failNext).toEqual([500, 429]);
		} else if (language === 'json' && commands > 0 && !text.includes('"nodes"')) {
			shown += 1;
			expect(JSON.parse(output)).toMatchObject(expected(JSON.parse(text)) as object);
		}
	}
	expect([commands, shown]).toEqual([7, 3]);
	expect(received.map(({ body }) => JSON.parse(body).data.text)).toEqual(['Hello', 'Hello']);
	expect([api.messages.size, api.settings.failNext]).toEqual([0, []]);
	expect(api.webhookUrls).toEqual([url]);
});
