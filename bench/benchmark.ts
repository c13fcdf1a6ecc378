import type { Log } from '../playground/run.ts';
import type { Figure } from './figures.ts';

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
}

export interface Outcome {
	figures: Figure[];
	facts?: Fact[];
}

export interface Benchmark {
	title: string;
	run: (setting: Setting) => Promise<Outcome>;
}
