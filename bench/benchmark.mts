import type { Log } from '../playground/run.mts';
import type { Figure } from './figures.mts';

export interface Setting {
	/** At least 5 for figures that are published. */
	pairs: number;
	/** Of the benchmark with many items. */
	items: number;
	tarball: string;
	say: Log;
}

/** A figure that is not compared with anything. */
export interface Fact {
	what: string;
	value: number;
	unit: string;
	/** More is a fault. */
	most?: number;
}

export interface Outcome {
	figures: Figure[];
	facts?: Fact[];
}

export interface Benchmark {
	title: string;
	run: (setting: Setting) => Promise<Outcome>;
}

/**
 * Measures all sides in turn, A B A B …: what else the machine does in the meantime falls on all of them.
 * @returns the samples of each side, in the order of the rounds
 */
export async function rounds<Name extends string, Sample>(
	count: number,
	sides: Record<Name, () => Promise<Sample>>,
	say: Log,
): Promise<Record<Name, Sample[]>> {
	const names = Object.keys(sides) as Name[];
	const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
		Name,
		Sample[]
	>;
	for (let round = 1; round <= count; round++) {
		say(`  ${round} of ${count}`);
		for (const name of names) samples[name].push(await sides[name]());
	}
	return samples;
}
