import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../playground/folders.mts';
import { n8nVersion } from '../playground/n8n/install.mts';
import type { Outcome } from './benchmark.mts';
import { isMet, median, ratios } from './figures.mts';

export type Outcomes = Array<{ name: string; title: string; outcome: Outcome }>;

/** Everything that was measured, the ratios and what they were measured with. */
export function writeReport(file: string, outcomes: Outcomes): void {
	const manifest = readFileSync(join(projectFolder, 'package.json'), 'utf8');
	const report = {
		date: new Date().toISOString(),
		package: (JSON.parse(manifest) as { version: string }).version,
		n8n: n8nVersion,
		node: process.versions.node,
		processors: cpus().length,
		benchmarks: outcomes.map(({ name, title, outcome: { figures, facts = [] } }) => ({
			name,
			title,
			figures: figures.map((figure) => ({
				...figure,
				ratio: median(ratios(figure)),
				ratios: ratios(figure),
				met: isMet(figure),
			})),
			facts,
		})),
	};
	writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
