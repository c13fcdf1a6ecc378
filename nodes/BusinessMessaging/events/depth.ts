/** Whether lists and objects are nested deeper than that in a parsed JSON value. */
export function isDeeperThan(limit: number, value: object): boolean {
	// Level by level, without recursion, which a value of half a million levels would overflow.
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === limit) return true;
		level = level.flatMap((container) => Object.values(container).filter(isContainer));
	}
	return false;
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
