import { setTimeout as sleep } from 'node:timers/promises';
import { parseParameters } from '../../parameters.mts';
import { SetupProblem } from '../../setupProblem.mts';
import { report } from './report.mts';

const KEY_VARIABLE = 'BUSINESS_MESSAGING_API_KEY';

const USAGE = `npm run api:check -- --url <Base URL> --key <API key> [options]

Compares the API with what the nodes assume of it. Without --to it only looks up messages that do not exist,
and sends nothing. Takes up to 70 seconds, because it waits for the rate limit's next window.

  ${KEY_VARIABLE} in the environment, in place of --key: keeps the key out of the shell's history
  --to <number>       sends one message to this number, which costs
  --template <name>   the approved template of that message (order_update)
  --variables <JSON>  its values, such as {"1": "Asha"}
  --category <name>   what it is approved for (utility)
  --other-key <key>   another key of the account: shows whether the limit counts per key or per account
  --exhaust           uses up the limit of one minute`;

const text = { type: 'string' } as const;
const options = {
	url: text,
	key: text,
	to: text,
	'other-key': text,
	variables: text,
	template: { type: 'string', default: 'order_update' },
	category: { type: 'string', default: 'utility' },
	exhaust: { type: 'boolean', default: false },
	help: { type: 'boolean', short: 'h' },
} as const;

function readTarget() {
	const {
		help,
		url = '',
		key = process.env[KEY_VARIABLE],
		variables,
		...rest
	} = parseParameters({ options }, USAGE).values;
	if (help) return 'help';
	if (!key) throw new SetupProblem(`--key or ${KEY_VARIABLE} is missing.\n\n${USAGE}`);
	if (rest.to !== undefined && !/^\+[1-9]\d{6,14}$/.test(rest.to)) {
		throw new SetupProblem(`--to ${rest.to} is not a number such as +12025550110.`);
	}
	const { 'other-key': otherKey, ...others } = rest;
	return { ...others, otherKey, key, url: readUrl(url), variables: readVariables(variables) };
}

/** Without `/api` at its end. */
function readUrl(given: string): string {
	const url = URL.parse(given);
	const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '');
	if (!url || (url.protocol !== 'https:' && !(isHere && url.protocol === 'http:'))) {
		throw new SetupProblem(`--url ${given} is not an address with https.`);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+(api\/*)?$/, '');
}

function readVariables(given: string | undefined): Record<string, string> | undefined {
	if (given === undefined) return undefined;
	try {
		const values = JSON.parse(given) as unknown;
		if (typeof values === 'object' && values && !Array.isArray(values)) {
			return values as Record<string, string>;
		}
	} catch {
		// Told below.
	}
	throw new SetupProblem(`--variables ${given} is not JSON such as {"1": "Asha"}.`);
}

try {
	const target = readTarget();
	if (target === 'help') console.log(USAGE);
	else {
		const failed = await report(target, console.log, async (ms, why) => {
			console.log(`Waiting ${Math.ceil(ms / 1000)} s for ${why} …`);
			await sleep(ms);
		});
		if (failed > 0) process.exitCode = 1;
	}
} catch (error) {
	const { message, cause } = error as Error & { cause?: Error };
	console.error(cause ? `${message}, check --url: ${cause.message}` : message);
	process.exitCode = 1;
}
