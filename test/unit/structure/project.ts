import type { INodeTypeDescription } from 'n8n-workflow';
import { readFileSync } from 'node:fs';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

export interface Manifest {
	name: string;
	version: string;
	scripts: Record<string, string>;
	files: string[];
	n8n: { strict: boolean; nodes: string[]; credentials: string[] };
	peerDependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}

export function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(path, 'utf8')) as T;
}

export const NODE_FOLDER = 'nodes/BusinessMessaging';
export const SCHEMA_FOLDER = `${NODE_FOLDER}/__schema__`;
export const manifest = readJson<Manifest>('package.json');

/** By the names of their classes. */
export const nodes: Array<[string, INodeTypeDescription]> = [
	['BusinessMessaging', new BusinessMessaging().description],
	['BusinessMessagingTrigger', new BusinessMessagingTrigger().description],
];
