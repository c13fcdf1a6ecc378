import { spawn } from 'node:child_process';

export type Log = (line: string) => void;

export interface RunOptions {
	folder: string;
	env?: NodeJS.ProcessEnv;
	/** After this time the program is ended, and has no exit code. */
	timeoutMs?: number;
	/** Called every 10 s with the last line that the program printed. */
	onWait?: (seconds: number, lastLine: string) => void;
}

const TICK_SECONDS = 10;

/** Runs a program to its end. A failing one is a value, not an exception: the caller knows the sentence for it. */
export async function run(program: string, parameters: string[], options: RunOptions) {
	const child = spawn(program, parameters, {
		cwd: options.folder,
		env: options.env ?? process.env,
		timeout: options.timeoutMs,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const collect = (chunk: Buffer) => (output += chunk.toString());
	child.stdout.on('data', collect);
	child.stderr.on('data', collect);

	let seconds = 0;
	const ticker = setInterval(() => {
		seconds += TICK_SECONDS;
		options.onWait?.(seconds, output.trimEnd().split('\n').at(-1) ?? '');
	}, TICK_SECONDS * 1000);

	try {
		const exitCode = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		return { exitCode, output };
	} finally {
		clearInterval(ticker);
	}
}
