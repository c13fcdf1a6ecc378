import { readFileSync } from 'node:fs';

/** The examples below a heading of docs/outputs.md, in their order. */
export function documentedItems(heading: string): Array<Record<string, unknown>> {
	const sections = readFileSync('docs/outputs.md', 'utf8').split(/^## /m);
	const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
	return [...section.matchAll(/^```json\n([^]*?)^```/gm)].map(
		([, json]) => JSON.parse(json) as Record<string, unknown>,
	);
}
