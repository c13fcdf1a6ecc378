import { parseParameters } from '../playground/parameters.mts';
import { SetupProblem } from '../playground/setupProblem.mts';
import { BENCHMARKS } from './benchmarks/index.mts';

export interface BenchOptions {
	names: string[];
	pairs: number;
	items: number;
	json?: string;
}

export const USAGE = `npm run bench [-- options] [names]

  names          ${Object.keys(BENCHMARKS).join(', ')} (all)
  --pairs <n>    measurements of each side, one side after the other (5)
  --items <n>    of manyItems (100000)
  --json <file>  write the figures to a file`;

export function readOptions(parameters: string[]): BenchOptions | 'help' {
	const { values, positionals } = parseParameters(
		{
			args: parameters,
			allowPositionals: true,
			options: {
				pairs: { type: 'string', default: '5' },
				items: { type: 'string', default: '100000' },
				json: { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		},
		USAGE,
	);
	if (values.help) return 'help';
	for (const name of positionals) {
		if (!(name in BENCHMARKS))
			throw new SetupProblem(`There is no benchmark "${name}".\n\n${USAGE}`);
	}
	return {
		names: positionals.length > 0 ? positionals : Object.keys(BENCHMARKS),
		pairs: readCount('--pairs', values.pairs),
		items: readCount('--items', values.items),
		json: values.json,
	};
}

function readCount(option: string, text: string): number {
	const count = Number(text);
	if (Number.isInteger(count) && count > 0) return count;
	throw new SetupProblem(`${option} ${text} is not a count: use a whole number from 1 up.`);
}
