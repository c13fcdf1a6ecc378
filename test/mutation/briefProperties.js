const fc = globalThis.loadedOnce('fast-check');

/** Each mutant runs the properties again: fewer examples, and the same ones each time. */
const MAX_RUNS = 30;
const brief = ({ numRuns = MAX_RUNS, ...rest } = {}) => ({
	...rest,
	seed: 1,
	endOnFailure: true,
	numRuns: Math.min(numRuns, MAX_RUNS),
});

module.exports = { ...fc, assert: (property, settings) => fc.assert(property, brief(settings)) };
