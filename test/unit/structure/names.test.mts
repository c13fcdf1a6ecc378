import { globSync, readFileSync } from 'node:fs';

const DEFINED =
	/^(?:export )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|type|interface) ([\w$]+)/gm;

// CONTRIBUTING: one word has one meaning
it('no name is defined at the top of two files', () => {
	const files = globSync('{nodes,credentials}/**/*.ts');
	const names = files.flatMap((file) => {
		const found = readFileSync(file, 'utf8').matchAll(DEFINED);
		return [...new Set([...found].map(([, name]) => name))];
	});
	expect(names.length).toBeGreaterThan(files.length);
	expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
});
