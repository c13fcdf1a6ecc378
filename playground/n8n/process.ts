import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { n8nFolder } from '../folders.ts';
import { anyFreePort, freePort } from '../ports.ts';
import { SetupProblem } from '../setupProblem.ts';
import { n8nEnvironment } from './environment.ts';

/** `worker` and `webhook` belong to queue mode, whose settings come in `env`. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

export interface N8nProcessOptions {
	userFolder: string;
	command?: N8nCommand;
	/** Without one, a free port. */
	port?: number;
	env?: Record<string, string>;
}

export interface N8nProcess {
	url: string;
	pid: number;
	logFile: string;
	/** Resolves with a sentence when the process has ended. */
	died: Promise<string>;
	stop(): Promise<void>;
}

const HEALTH = '/healthz/readiness';
/** Each answers with JSON. */
const READY_WHEN: Record<N8nCommand, string[]> = {
	// n8n 1.x says that it is ready before its editor is.
	start: [HEALTH, '/rest/settings'],
	worker: [HEALTH],
	webhook: [HEALTH],
};

const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 15_000;

/** Starts one n8n process and waits until it says that it is ready. */
export async function startProcess(options: N8nProcessOptions): Promise<N8nProcess> {
	const { userFolder, command = 'start' } = options;
	const port = await freePort(options.port);
	if (port === undefined) throw new SetupProblem(`Port ${options.port} is in use: choose another.`);
	mkdirSync(userFolder, { recursive: true });

	const logFile = join(userFolder, `${command}-${port}.log`);
	const log = openSync(logFile, 'w');
	const child = spawn(
		process.execPath,
		[join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'), command],
		{
			cwd: userFolder,
			env: {
				...n8nEnvironment(),
				N8N_USER_FOLDER: userFolder,
				N8N_PORT: String(port),
				// A worker serves nothing but its health on a port of its own.
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
				N8N_RUNNERS_BROKER_PORT: String(await anyFreePort()),
				...options.env,
			},
			stdio: ['ignore', log, log],
			// Its own process group: Ctrl-C reaches us first, and stop() takes the task runners along.
			detached: true,
		},
	);
	closeSync(log);

	const killGroup = () => signalGroup(child, 'SIGKILL');
	process.once('exit', killGroup);
	const ended = once(child, 'exit').then(() => process.off('exit', killGroup));
	const died = ended.then(() => `n8n ended by itself (${lastError(logFile)}); its log: ${logFile}`);
	const url = `http://localhost:${port}`;
	const stop = () => stopGroup(child, ended);
	const isOver = () => child.exitCode !== null || child.signalCode !== null;
	const isReadyOrOver = async () => isOver() || (await isReady(url, READY_WHEN[command]));
	// The sentence comes first: it is there at the exit, the poll notices it later.
	const ready = eventually('n8n', isReadyOrOver, START_DEADLINE_MS).catch(() => false);
	const answered = await Promise.race([ready, died]);
	if (answered !== true) {
		await stop();
		throw new SetupProblem(answered || `n8n was not ready in time; its log: ${logFile}`);
	}
	return { url, pid: child.pid as number, logFile, died, stop };
}

async function isReady(url: string, paths: string[]) {
	const answers = await Promise.all(paths.map((path) => answersWithJson(url + path)));
	return !answers.includes(false);
}

/** A starting n8n answers some paths 200 with a text. */
async function answersWithJson(address: string) {
	const response = await fetch(address).catch(() => undefined);
	return response?.ok === true && /json/.test(response.headers.get('content-type') ?? '');
}

function lastError(logFile: string) {
	const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
	return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
	try {
		process.kill(-(child.pid as number), signal);
	} catch {
		// The group is gone already.
	}
}

async function stopGroup(child: ChildProcess, ended: Promise<unknown>) {
	signalGroup(child, 'SIGTERM');
	await Promise.race([ended, sleep(STOP_DEADLINE_MS, undefined, { ref: false })]);
	signalGroup(child, 'SIGKILL');
	await ended;
}
