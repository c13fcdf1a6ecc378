import { parseArgs, type ParseArgsConfig } from 'node:util';
import { SetupProblem } from './setupProblem.mts';

/** What was given on the command line. @throws SetupProblem with the usage */
export function parseParameters<const Config extends ParseArgsConfig>(
	config: Config,
	usage: string,
): ReturnType<typeof parseArgs<Config>> {
	try {
		return parseArgs(config);
	} catch (error) {
		throw new SetupProblem(`${(error as Error).message}\n\n${usage}`);
	}
}
