import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { projectFolder } from '../../../playground/folders.ts';

/** What each file imports of the others, types as well. Which folder may import which is a rule of the linter. */
function importsOf(folders: string[]): Map<string, string[]> {
	const files = globSync(`{${folders.join()}}/**/*.{ts,js,cjs,mjs}`, {
		cwd: projectFolder,
		exclude: (name) => name.includes('node_modules'),
	});
	return new Map(files.map((file) => [file, imported(file)]));
}

function imported(file: string): string[] {
	const text = readFileSync(join(projectFolder, file), 'utf8');
	return [...text.matchAll(/\b(?:from|import\(|import) ?'(\.[^']*)'/g)].map(([, path]) => {
		const target = join(projectFolder, dirname(file), path);
		const found = [target, `${target}.ts`, join(target, 'index.ts')].find((each) =>
			statSync(each, { throwIfNoEntry: false })?.isFile(),
		);
		if (!found) throw new Error(`${file} imports ${path}, which is not there.`);
		return relative(projectFolder, found);
	});
}

function cyclesIn(imports: Map<string, string[]>): string[] {
	const cycles: string[] = [];
	const seen = new Set<string>();
	const visit = (file: string, path: string[]) => {
		if (path.includes(file)) {
			cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		} else if (!seen.has(file)) {
			seen.add(file);
			for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
		}
	};
	for (const file of imports.keys()) visit(file, []);
	return cycles;
}

it('no file imports itself by way of others, not even for a type', () => {
	const imports = importsOf(['credentials', 'nodes', 'playground', 'test', 'bench']);
	expect(imports.size).toBeGreaterThan(400);
	expect(cyclesIn(imports)).toEqual([]);
});
