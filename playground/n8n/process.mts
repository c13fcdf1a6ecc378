import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.mts';
import { n8nFolder } from '../folders.mts';
import { anyFreePort, freePort } from '../ports.mts';
import { SetupProblem } from '../setupProblem.mts';
import { dockerRun, n8nImage, removeContainer } from './docker.mts';
import { n8nEnvironment } from './environment.mts';

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

/** A slow machine that does other things as well takes minutes. */
const START_DEADLINE_MS = 300_000;
const STOP_DEADLINE_MS = 15_000;

/** Starts one n8n process and waits until it says that it is ready. */
export async function startProcess(options: N8nProcessOptions): Promise<N8nProcess> {
	const { userFolder, command = 'start' } = options;
	const port = await freePort(options.port);
	if (port === undefined) throw new SetupProblem(`Port ${options.port} is in use: choose another.`);
	mkdirSync(userFolder, { recursive: true });

	const logFile = join(userFolder, `${command}-${port}.log`);
	const log = openSync(logFile, 'w');
	const env = {
		...n8nEnvironment(),
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		// A worker serves nothing but its health on a port of its own.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await anyFreePort()),
		...options.env,
	};
	const container = `n8n-playground-${port}`;
	const [program, parameters] = n8nImage
		? ['docker', dockerRun(n8nImage, { name: container, userFolder, command }, env)]
		: [process.execPath, [join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n'), command]];
	const child = spawn(program, parameters, {
		cwd: userFolder,
		env,
		stdio: ['ignore', log, log],
		// Its own process group: Ctrl-C reaches us first, and stop() takes the task runners along.
		detached: true,
	});
	closeSync(log);

	const kill = () => {
		signalGroup(child, 'SIGKILL');
		if (n8nImage) removeContainer(container);
	};
	process.once('exit', kill);
	const ended = once(child, 'exit').then(() => process.off('exit', kill));
	const died = ended.then(() => `n8n ended by itself (${lastError(logFile)}); its log: ${logFile}`);
	const url = `http://localhost:${port}`;
	const stop = async () => {
		signalGroup(child, 'SIGTERM');
		await Promise.race([ended, sleep(STOP_DEADLINE_MS, undefined, { ref: false })]);
		kill();
		await ended;
		// A copy of the editor, made anew at each start: `n8n-node lint` would parse these 27 MB.
		if (command === 'start') await rm(join(userFolder, '.cache'), { recursive: true, force: true });
	};
	const isOver = () => child.exitCode !== null || child.signalCode !== null;
	// The sentence comes first: it is there at the exit, the poll notices it later.
	const ready = untilReady(url, command, isOver).catch(() => false);
	const answered = await Promise.race([ready, died]);
	if (answered !== true) {
		await stop();
		throw new SetupProblem(answered || `n8n was not ready in time; its log: ${logFile}`);
	}
	return { url, pid: child.pid as number, logFile, died, stop };
}

/** Waits for an n8n process, wherever it runs. */
export async function untilReady(
	url: string,
	command: N8nCommand,
	isOver = () => false,
): Promise<true> {
	const isReady = async () => {
		const answers = READY_WHEN[command].map((path) => answersWithJson(url + path));
		return !(await Promise.all(answers)).includes(false);
	};
	return await eventually(url, async () => isOver() || (await isReady()), START_DEADLINE_MS);
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
