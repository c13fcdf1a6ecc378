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
	const ranges: Array<{ from: number; to: number }> = [];
	for (const itemIndex of itemIndexes) {
		const last = ranges.at(-1);
		if (last?.to === itemIndex - 1) last.to = itemIndex;
		else ranges.push({ from: itemIndex, to: itemIndex });
	}
	const shown = ranges.slice(0, maxRanges);
	const more = ranges.slice(maxRanges).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	const texts = shown.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
	return `${itemIndexes.length === 1 ? 'item' : 'items'} ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
