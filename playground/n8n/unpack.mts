import { mkdir, rm } from 'node:fs/promises';
import { run } from '../run.mts';

/** Unpacks a packed package into a folder, in place of what is there. */
export async function unpackPackage(tarball: string, folder: string): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const { exitCode, output } = await run(
		'tar',
		['-xzf', tarball, '-C', folder, '--strip-components=1'],
		{ folder },
	);
	if (exitCode !== 0) throw new Error(`The tarball could not be unpacked: ${output}`);
}
