import { asSetupProblem } from '../playground/setupProblem.mts';
import { BENCHMARKS } from './benchmarks/index.mts';
import { readOptions, USAGE, type BenchOptions } from './options.mts';
import { print } from './print.mts';
import { writeReport, type Outcomes } from './report.mts';
import { prepareStage } from './stage.mts';

const say = (line: string) => console.log(line);

async function bench({ names, pairs, items, json }: BenchOptions) {
	const { tarball } = await prepareStage(say);
	const outcomes: Outcomes = [];
	for (const name of names) {
		const { title, run } = BENCHMARKS[name];
		say(`\n${name}: ${title} …`);
		outcomes.push({ name, title, outcome: await run({ pairs, items, tarball, say }) });
		if (json) writeReport(json, outcomes);
	}
	for (const { title, outcome } of outcomes) print(title, outcome, say);
}

// A signal alone would skip what is done at the exit, which is to end n8n.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

try {
	const options = readOptions(process.argv.slice(2));
	if (options === 'help') say(USAGE);
	else await bench(options);
} catch (error) {
	console.error(asSetupProblem(error)?.message ?? error);
	process.exit(1);
}
