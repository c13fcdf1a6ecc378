import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { PassThrough } from 'node:stream';

/**
 * Runs what `npm run check` does beside Jest, because Jest alone leaves a core idle while tests wait. The output of the
 * checks comes first, Jest's after it. Arguments are passed on to Jest.
 */
const TIERS = ['unit', 'nodes', 'workflow', 'playground'];
const npm = process.env.npm_execpath;
if (!npm) throw new Error('Run this with: npm test');

/** Without it Jest and Prettier print no colors, because they write into a pipe. */
const env = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env;
/** A program stops when its pipe is full, so this one has room for all its output. */
const highWaterMark = 2 ** 26;

function start(args, more = {}) {
	const child = spawn(process.execPath, args, {
		env: { ...env, ...more },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const stdout = child.stdout.pipe(new PassThrough({ highWaterMark }));
	const stderr = child.stderr.pipe(new PassThrough({ highWaterMark }));
	const closed = new Promise((resolve) => child.once('close', resolve));
	return async function print() {
		stdout.pipe(process.stdout, { end: false });
		stderr.pipe(process.stderr, { end: false });
		return (await closed) === 0;
	};
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
/** With room for what they make and forget, checks spend less time on garbage: 7 % of all. */
const NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`;
// One after the other they take longer than Jest.
const checks = ['typecheck', 'lint'].map((script) => start([npm, 'run', script], { NODE_OPTIONS }));
const printTests = start([jest, '--selectProjects', ...TIERS, ...process.argv.slice(2)]);
let isChecked = true;
for (const print of checks) isChecked = (await print()) && isChecked;
const isTested = await printTests();
if (!isChecked) console.error('\nLint or types have failed: see above Jest.');
process.exitCode = isChecked && isTested ? 0 : 1;
