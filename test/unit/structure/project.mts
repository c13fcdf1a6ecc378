import { readFileSync } from 'node:fs';

export interface Manifest {
	version: string;
	repository: { url: string };
	scripts: Record<string, string>;
	files: string[];
	peerDependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}

export function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(path, 'utf8')) as T;
}

export const manifest = readJson<Manifest>('package.json');
