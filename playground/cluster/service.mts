import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { SetupProblem } from '../setupProblem.mts';

export interface Service {
	url: string;
	/** In order, at the same address. @param meanwhile what is done while it is stopped */
	restart(meanwhile?: () => Promise<void>): Promise<void>;
	stop(): Promise<void>;
}

/** The user that runs a program; without one, the user of this process. */
export interface Account {
	uid: number;
	gid: number;
}

interface Program {
	path: string;
	parameters: string[];
	account?: Account;
	/** For its data, which goes with it. */
	folder: string;
}

const READY = /ready to accept connections/i;
const START_DEADLINE_MS = 30_000;

/** Starts Redis or PostgreSQL. */
export async function startService(url: string, program: Program): Promise<Service> {
	let stop = await start(program);
	return {
		url,
		async restart(meanwhile) {
			await stop();
			await meanwhile?.();
			stop = await start(program);
		},
		async stop() {
			await stop();
			await rm(program.folder, { recursive: true });
		},
	};
}

/** One that runs already, and goes on. */
export function runningService(url: string): Service {
	return {
		url,
		restart: async () => {
			throw new SetupProblem(
				`${new URL(url).host} is not this test's own to restart: leave QUEUE_REDIS_URL and QUEUE_POSTGRES_URL out.`,
			);
		},
		stop: async () => undefined,
	};
}

/** Both say when they are ready. @returns stops it */
async function start({ path, parameters, folder, account }: Program): Promise<() => Promise<void>> {
	const child = spawn(path, parameters, {
		...account,
		cwd: folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		// Ctrl-C reaches us first: n8n stops before what it needs.
		detached: true,
	});
	const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
	const kill = () => child.kill('SIGKILL');
	process.once('exit', kill);
	void ended.then(() => process.off('exit', kill));

	let output = '';
	const ready = new Promise<boolean>((resolve) => {
		const read = (chunk: Buffer) => {
			// Read to the end: a full pipe would stop the program.
			if (!READY.test(output)) output += chunk.toString();
			if (READY.test(output)) resolve(true);
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		setTimeout(resolve, START_DEADLINE_MS, false).unref();
	});
	const stop = async () => {
		// PostgreSQL's fast shutdown; Redis takes it as well.
		child.kill('SIGINT');
		await ended;
	};
	if ((await Promise.race([ready, ended.then(() => false)])) === true) return stop;
	child.kill('SIGKILL');
	throw new SetupProblem(`${path} did not start.\n${output}`);
}

/** Fails with a sentence when a program is missing or does not succeed. */
export async function runTool(program: string, parameters: string[], account?: Account) {
	const child = spawn(program, parameters, { ...account, stdio: ['ignore', 'ignore', 'inherit'] });
	const [exitCode] = (await once(child, 'close')) as [number | null];
	if (exitCode !== 0) throw new SetupProblem(`${program} failed.`);
}
