import type { Outcome } from './benchmark.mts';
import { isMet, median, ratios, type Aim } from './figures.mts';

export function print(
	title: string,
	{ figures, facts = [] }: Outcome,
	say: (line: string) => void,
) {
	say(`\n${title}`);
	for (const figure of figures) {
		const all = ratios(figure);
		const spread = `${show(Math.min(...all))} … ${show(Math.max(...all))}, ${all.length} pairs`;
		const verdict = figure.aim
			? `  aim ${showAim(figure.aim)}: ${isMet(figure) ? 'met' : 'MISSED'}`
			: '';
		say(
			`  ${show(median(all)).padStart(7)}  ${figure.what} / ${figure.reference} (${spread})${verdict}`,
		);
	}
	for (const { what, value, unit, most = Infinity } of facts) {
		say(`  ${what}: ${show(value)} ${unit}${value > most ? '  A FAULT' : ''}`);
	}
}

function showAim({ is, ratio }: Aim): string {
	return `${is === 'atMost' ? '≤' : '≥'} ${ratio}`;
}

function show(value: number): string {
	return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
