import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess, type N8nProcess, type N8nProcessOptions } from '../n8n/process.mts';

/** One n8n process of a cluster, always at the same address. */
export interface Member {
	url: string;
	logFile: string;
	/** Of the process that runs now. */
	readonly pid: number;
	/** Stands still for a while, as on a machine that is short of memory. */
	holdUp(forMs: number): Promise<void>;
	/** As when the machine loses its power. */
	kill(): Promise<void>;
	/** Starts it again, after a stop in order when it is running. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export async function startMember(options: N8nProcessOptions): Promise<Member> {
	let n8n: N8nProcess = await startProcess(options);
	const port = Number(new URL(n8n.url).port);
	return {
		url: n8n.url,
		logFile: n8n.logFile,
		get pid() {
			return n8n.pid;
		},
		async holdUp(forMs) {
			process.kill(-n8n.pid, 'SIGSTOP');
			await sleep(forMs);
			process.kill(-n8n.pid, 'SIGCONT');
		},
		async kill() {
			process.kill(-n8n.pid, 'SIGKILL');
			await n8n.died;
		},
		async restart() {
			await n8n.stop();
			n8n = await startProcess({ ...options, port });
		},
		async stop() {
			await n8n.stop();
		},
	};
}
