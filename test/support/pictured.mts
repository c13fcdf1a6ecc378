import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** What the pictures of the documents showed when they were made. */
export const PICTURED = 'docs/pictures.json';

const FILES = {
	canvas: 'examples/form-to-hubspot.json',
	phone: 'playground/api/phone/*',
	question: 'nodes/BusinessMessaging/actions/sendAndWait/{page,texts}.ts',
};

/** n8n adds it to the resources and operations of every node that has a credential. */
const ADDED = ',{"name":"Custom API Call","value":"__CUSTOM_API_CALL__"}';

/** What no picture shows: n8n has it in tooltips and menus, or for AI only. */
const UNSEEN = ['description', 'builderHint', 'action'];

export interface Described {
	displayName: string;
	properties: unknown;
}

/** A hash of each thing that they show. @param described the nodes and the credential, as n8n gets them */
export function pictured(described: Described[]): Record<string, string> {
	const fields = described.map(({ displayName, properties }) => [
		displayName,
		JSON.stringify(properties, (key, value: unknown) =>
			UNSEEN.includes(key) ? undefined : value,
		).replaceAll(ADDED, ''),
	]);
	const files = Object.entries(FILES).map(([name, pattern]) => [
		name,
		globSync(pattern)
			.sort()
			.map((file) => readFileSync(file, 'utf8'))
			.join(''),
	]);
	return Object.fromEntries(
		[...fields, ...files].map(([name, shown]) => [
			name,
			createHash('sha256').update(shown).digest('hex'),
		]),
	);
}
