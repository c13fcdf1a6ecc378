import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** An image to run in place of the installed n8n, such as n8nio/n8n:3.0.0. */
export const n8nImage = process.env.PLAYGROUND_N8N_IMAGE;

/** What an image must not get from this machine, such as its PATH, is called otherwise. */
const OF_N8N = /^(N8N|DB|EXECUTIONS|QUEUE|GENERIC|NODE)_/;

/** `docker run` with the network, the user and the n8n user folder of this machine, and what `env` has for n8n. */
export function dockerRun(
	image: string,
	{ name, userFolder, command }: { name: string; userFolder: string; command: string },
	env: object,
): string[] {
	const { uid, gid } = userInfo();
	return [
		'run',
		'--rm',
		'--name',
		name,
		'--network',
		'host',
		'--user',
		`${uid}:${gid}`,
		'--volume',
		`${userFolder}:${userFolder}`,
		'--workdir',
		userFolder,
		...Object.keys(env).flatMap((variable) => (OF_N8N.test(variable) ? ['--env', variable] : [])),
		image,
		command,
	];
}

/** `docker run` passes a SIGTERM on, but a SIGKILL ends only itself. */
export function removeContainer(name: string): void {
	spawnSync('docker', ['rm', '--force', name], { env: process.env, stdio: 'ignore' });
}
