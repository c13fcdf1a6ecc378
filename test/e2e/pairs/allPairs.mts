/** For each factor the levels that it can have. */
export type Factors = Record<string, readonly unknown[]>;
/** For each factor the number of its level. */
export type Combination = Record<string, number>;

/** Of so many combinations, the one with the most new pairs is taken. */
const CANDIDATES = 10;

/** Combinations in which every two levels of every two factors occur together: the first ones have most pairs (greedy). */
export function allPairs(factors: Factors, random: () => number): Combination[] {
	const names = Object.keys(factors);
	const left = pairsOf(factors);
	const combinations: Combination[] = [];

	const news = (chosen: Combination, name: string, level: number) =>
		Object.entries(chosen).filter((other) => left.has(pair([name, level], other))).length;

	function candidate(): Combination {
		const [first] = shuffled([...left], random);
		const chosen = Object.fromEntries(JSON.parse(first) as Array<[string, number]>);
		for (const name of shuffled(names, random)) {
			const levels = factors[name].map((_, level) => ({ level, gain: news(chosen, name, level) }));
			const best = Math.max(...levels.map(({ gain }) => gain));
			const bests = levels.filter(({ gain }) => gain === best);
			// If nothing is left for any of them, the first level is the usual one.
			chosen[name] ??= (best === 0 ? bests : shuffled(bests, random))[0].level;
		}
		return chosen;
	}

	while (left.size > 0) {
		const candidates = Array.from({ length: CANDIDATES }, () => {
			const chosen = candidate();
			const pairs = [...pairsIn(chosen)].filter((each) => left.has(each));
			return { chosen, pairs };
		});
		const [{ chosen, pairs }] = candidates.sort((a, b) => b.pairs.length - a.pairs.length);
		for (const each of pairs) left.delete(each);
		combinations.push(chosen);
	}
	return combinations;
}

export function pairsOf(factors: Factors): Set<string> {
	const levels = Object.keys(factors).map((name) =>
		factors[name].map((_, level) => ({ [name]: level })),
	);
	const two = levels.flatMap((ones, index) =>
		levels
			.slice(index + 1)
			.flatMap((others) => ones.flatMap((one) => others.map((other) => ({ ...one, ...other })))),
	);
	return new Set(two.flatMap((each) => [...pairsIn(each)]));
}

export function pairsIn(combination: Combination): Set<string> {
	const entries = Object.entries(combination);
	return new Set(
		entries.flatMap((one, index) => entries.slice(index + 1).map((other) => pair(one, other))),
	);
}

function pair(...two: Array<[string, number]>): string {
	return JSON.stringify(two.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
	return list
		.map((each) => ({ each, at: random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ each }) => each);
}
