import { spawn } from 'node:child_process';

interface Surroundings {
	platform: NodeJS.Platform;
	env: NodeJS.ProcessEnv;
	/** Whether a person reads what the demo prints. */
	isTerminal: boolean;
}

/** The program that shows a page in the browser; undefined where nobody would see it. */
export function browserProgram({ platform, env, isTerminal }: Surroundings): string | undefined {
	if (!isTerminal) return undefined;
	if (platform === 'darwin') return 'open';
	const hasScreen = !!(env.DISPLAY || env.WAYLAND_DISPLAY);
	return platform === 'linux' && hasScreen ? 'xdg-open' : undefined;
}

/** Its address has been printed: when it does not open, nothing is lost. */
export function openPhone(url: string): void {
	const { platform, env, stdout } = process;
	const program = browserProgram({ platform, env, isTerminal: !!stdout.isTTY });
	if (!program) return;
	const child = spawn(program, [url], { stdio: 'ignore', detached: true });
	child.once('error', () => undefined);
	child.unref();
}
