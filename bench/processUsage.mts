import { readFileSync } from 'node:fs';
import { SetupProblem } from '../playground/setupProblem.mts';

/** USER_HZ, which is 100 on all usual Linux systems. */
const TICKS_PER_SECOND = 100;

/** What the kernel counted for one process, without its children, since it started. Linux only. */
export function usageOf(pid: number) {
	if (process.platform !== 'linux') {
		throw new SetupProblem('Memory and CPU time are read from /proc: run this benchmark on Linux.');
	}
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The second field, the name, may contain spaces; the third one follows its last parenthesis.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return {
		residentMb: megabytes(status, 'VmRSS'),
		/** The highest it ever was; nothing is missed between two looks. */
		peakResidentMb: megabytes(status, 'VmHWM'),
		cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
	};
}

/** CPU time of several processes together. */
export function cpuSecondsOf(pids: number[]): number {
	return pids.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
}

function megabytes(status: string, name: string): number {
	return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
