type Level = [factor: number, level: number];

/** Of so many combinations the one with the most new pairs is taken. */
const CANDIDATES = 10;

/**
 * Combinations in which every two levels of every two factors occur together; the first ones have the most pairs.
 * @param sizes how many levels each factor has; level 0 is the usual one
 * @returns the levels of all factors, in their order
 */
export function allPairs(sizes: number[], random: () => number): number[][] {
	const left = pairsOf(allLevels(sizes));

	function candidate(): number[] {
		const [one, other] = shuffled([...left.values()], random)[0];
		const chosen = [one, other];
		for (const factor of shuffled([...sizes.keys()], random)) {
			if (chosen.some((each) => each[0] === factor)) continue;
			const gainOf = (level: Level) => chosen.filter((each) => left.has(keyOf(each, level))).length;
			const levels = allLevels(sizes).filter((each) => each[0] === factor);
			const gains = shuffled(levels, random).map((level) => ({ level, gain: gainOf(level) }));
			const [best] = gains.sort((a, b) => b.gain - a.gain);
			chosen.push(best.gain > 0 ? best.level : [factor, 0]);
		}
		return sizes.map((_, factor) => chosen.find((each) => each[0] === factor)?.[1] ?? 0);
	}

	const combinations: number[][] = [];
	while (left.size > 0) {
		const news = (each: number[]) => pairsIn(each).filter((key) => left.has(key));
		const candidates = Array.from({ length: CANDIDATES }, candidate);
		const [best] = candidates.sort((a, b) => news(b).length - news(a).length);
		for (const key of news(best)) left.delete(key);
		combinations.push(best);
	}
	return combinations;
}

function allLevels(sizes: number[]): Level[] {
	return sizes.flatMap((size, factor) =>
		Array.from({ length: size }, (_, level): Level => [factor, level]),
	);
}

function keyOf(...pair: [Level, Level]): string {
	return pair.sort(([a], [b]) => a - b).join('-');
}

function pairsOf(levels: Level[]): Map<string, [Level, Level]> {
	const pairs = levels.flatMap((one) => levels.map((other): [Level, Level] => [one, other]));
	const different = pairs.filter(([[one], [other]]) => one < other);
	return new Map(different.map((pair) => [keyOf(...pair), pair]));
}

export const pairsIn = (combination: number[]) => [
	...pairsOf(combination.map((level, factor): Level => [factor, level])).keys(),
];

export const pairsAmong = (sizes: number[]) => [...pairsOf(allLevels(sizes)).keys()];

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
	const drawn = list.map((each) => ({ each, at: random() }));
	return drawn.sort((a, b) => a.at - b.at).map(({ each }) => each);
}
