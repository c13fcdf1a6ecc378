import { parseParameters } from '../parameters.mts';
import { SetupProblem } from '../setupProblem.mts';

export interface DemoOptions {
	/** Exit after the customer has been played. */
	once: boolean;
	play: boolean;
	/** Build the nodes on each change, and reload them in n8n. */
	watch: boolean;
	/** Of the editor; undefined = 5678, or a free one when it is taken. */
	port?: number;
}

export const USAGE = `npm run demo [-- options]

  --once         play the customer, then stop everything and exit
  --no-play      leave the customer to you
  --watch        build the nodes on each change, and reload them in n8n (npm run dev)
  --port <n>     port of the editor (5678, or a free one)`;

export function readOptions(parameters: string[]): DemoOptions | 'help' {
	const { values } = parseParameters(
		{
			args: parameters,
			options: {
				once: { type: 'boolean' },
				'no-play': { type: 'boolean' },
				watch: { type: 'boolean' },
				port: { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		},
		USAGE,
	);
	if (values.help) return 'help';
	if (values.once && values['no-play']) {
		throw new SetupProblem('--once and --no-play together would do nothing: choose one.');
	}
	const { once = false, watch = false } = values;
	return { once, play: !values['no-play'], watch, port: readPort(values.port) };
}

function readPort(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new SetupProblem(`--port ${text} is not a port: use a number from 1 to 65535.`);
}
