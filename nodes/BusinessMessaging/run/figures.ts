// Figures as texts, for hints, errors and the log.

export function formatCount(count: number): string {
	return count.toLocaleString('en-US');
}

export function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const MAX_RANGES = 20;

/** For example "item 7", "items 0-4, 7"; after so many ranges it says how many more items there are. */
export function formatItems(itemIndexes: number[], maxRanges = MAX_RANGES): string {
	const noun = itemIndexes.length === 1 ? 'item' : 'items';
	return `${noun} ${formatRanges(itemIndexes, maxRanges)}`;
}

/** With the rows as people count them, from 1: "item 200, row 201", "items 0-4, 7 (rows 1-5, 8)". */
export function formatRows(itemIndexes: number[]): string {
	const rows = formatRanges(
		itemIndexes.map((itemIndex) => itemIndex + 1),
		MAX_RANGES,
	);
	const items = formatItems(itemIndexes);
	return itemIndexes.length === 1 ? `${items}, row ${rows}` : `${items} (rows ${rows})`;
}

function formatRanges(numbers: number[], maxRanges: number): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last?.to === number - 1) last.to = number;
		else ranges.push({ from: number, to: number });
	}
	const shown = ranges.slice(0, maxRanges);
	const more = ranges.slice(maxRanges).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	const texts = shown.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
	return `${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
