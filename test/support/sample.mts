/** How many times as many cases the random tests play as the sample of `npm test`. */
export const RANDOM_TIMES = Number(process.env.RANDOM_TIMES ?? 1);

const { RANDOM_SEED } = process.env;

/** Of fast-check. @param seed of tests that repeat, unless other cases are asked for */
export function sample(numRuns: number, seed?: number): { numRuns: number; seed?: number } {
	const given = RANDOM_SEED === undefined ? seed : Number(RANDOM_SEED);
	return { numRuns: numRuns * RANDOM_TIMES, ...(given !== undefined && { seed: given }) };
}
