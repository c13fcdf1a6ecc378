import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

const TOP = ['nodes', 'credentials', 'playground', 'test', 'bench', 'scripts'];
const CODE = /\.(ts|js|cjs|mjs)$/;

/** The files of a folder and of those in it, or those of a pattern. */
function filesOf(name) {
	const path = TOP.includes(name.split('/')[0]) ? name : `nodes/BusinessMessaging/${name}`;
	const pattern = CODE.test(path) || path.endsWith('*') ? path : `${path}/**`;
	const files = globSync(pattern, { exclude: (found) => found.endsWith('node_modules') })
		.filter((file) => CODE.test(file))
		.map((file) => file.replaceAll(sep, '/'));
	if (files.length === 0)
		throw new Error(`CONTRIBUTING.md has an arrow for ${name}: no file there.`);
	return files;
}

const arrows = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^(\S+) +→ (.+)$/gm)].map(
	([, place, allowed]) => ({ place, allowed: allowed === 'nothing' ? [] : allowed.split(', ') }),
);
const placeOf = new Map(arrows.flatMap(({ place }) => filesOf(place).map((file) => [file, place])));
const files = TOP.flatMap(filesOf);
for (const file of files) {
	if (!placeOf.has(file)) throw new Error(`CONTRIBUTING.md does not say what ${file} may import.`);
}

const filesIn = (name) => {
	const own = files.filter((file) => placeOf.get(file) === name);
	return own.length > 0 ? own : filesOf(name);
};

/** What no file may import, from the arrows in CONTRIBUTING.md. test/unit/structure/imports.test.ts finds cycles. */
export const layers = arrows.map(({ place, allowed }) => {
	const known = new Set([place, ...allowed].flatMap(filesIn));
	return {
		target: filesIn(place),
		from: files.filter((file) => !known.has(file)),
		message: `${place} → ${allowed.join(', ') || 'nothing'} (CONTRIBUTING.md)`,
	};
});
