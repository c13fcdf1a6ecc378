/** One ratio: `ours` over `reference`, the median over pairs that were measured one after the other. */
export interface Figure {
	what: string;
	/** What it is measured against. */
	reference: string;
	unit: string;
	pairs: Pair[];
	aim?: Aim;
}

export interface Pair {
	ours: number;
	reference: number;
}

export interface Aim {
	is: 'atMost' | 'atLeast';
	ratio: number;
}

export const atMost = (ratio: number): Aim => ({ is: 'atMost', ratio });
export const atLeast = (ratio: number): Aim => ({ is: 'atLeast', ratio });

export function ratios({ pairs }: Figure): number[] {
	return pairs.map(({ ours, reference }) => ours / reference);
}

export function isMet(figure: Figure): boolean | undefined {
	if (!figure.aim) return undefined;
	const ratio = median(ratios(figure));
	return figure.aim.is === 'atMost' ? ratio <= figure.aim.ratio : ratio >= figure.aim.ratio;
}

export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}

export function pairUp<T>(ours: T[], reference: T[], read: (sample: T) => number): Pair[] {
	return ours.map((sample, index) => ({ ours: read(sample), reference: read(reference[index]) }));
}
