/** For each factor one of its levels. */
export type Combination = Record<string, number>;

/** Of so many combinations the one with the most new pairs is taken. */
const CANDIDATES = 10;

/**
 * Combinations in which every two levels of every two factors occur together; the first ones have the most pairs.
 * @param sizes how many levels each factor has, from 0; 0 is the usual one
 */
export function allPairs(sizes: Combination, random: () => number): Combination[] {
	const left = pairsOf(sizes);
	const isNew = (one: [string, number], other: [string, number]) => left.has(pair(one, other));

	function candidate(): Combination {
		const [first] = shuffled([...left], random);
		const chosen = Object.fromEntries(JSON.parse(first) as Array<[string, number]>);
		for (const name of shuffled(Object.keys(sizes), random)) {
			const gain = (level: number) =>
				Object.entries(chosen).filter((other) => isNew([name, level], other)).length;
			const levels = range(sizes[name]).map((level) => ({ level, gain: gain(level) }));
			const [best] = shuffled(levels, random).sort((a, b) => b.gain - a.gain);
			chosen[name] ??= best.gain === 0 ? 0 : best.level;
		}
		return chosen;
	}

	const combinations: Combination[] = [];
	while (left.size > 0) {
		const news = (chosen: Combination) => pairsIn(chosen).filter((each) => left.has(each));
		const candidates = range(CANDIDATES).map(candidate);
		const [best] = candidates.sort((a, b) => news(b).length - news(a).length);
		for (const each of news(best)) left.delete(each);
		combinations.push(best);
	}
	return combinations;
}

/** All there are. */
export function pairsOf(sizes: Combination): Set<string> {
	const levels = (name: string) =>
		range(sizes[name]).map((level): [string, number] => [name, level]);
	const names = Object.keys(sizes);
	const pairs = names.flatMap((name, index) =>
		names
			.slice(index + 1)
			.flatMap((other) => levels(name).flatMap((a) => levels(other).map((b) => pair(a, b)))),
	);
	return new Set(pairs);
}

export function pairsIn(combination: Combination): string[] {
	const entries = Object.entries(combination);
	return entries.flatMap((a, index) => entries.slice(index + 1).map((b) => pair(a, b)));
}

function pair(...two: Array<[string, number]>): string {
	return JSON.stringify(two.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function range(length: number): number[] {
	return Array.from({ length }, (_, index) => index);
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
	const drawn = list.map((each) => ({ each, at: random() }));
	return drawn.sort((a, b) => a.at - b.at).map(({ each }) => each);
}
