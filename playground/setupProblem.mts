/** Something on this machine is in the way: one sentence that says what and what to do, shown without a stack. */
export class SetupProblem extends Error {
	override name = 'SetupProblem';
}

const FULL_DISK = 'The disk is full: free about 3 GB, then run this again.';

/** The sentence for an error that the machine caused, else undefined. */
export function asSetupProblem(error: unknown): SetupProblem | undefined {
	if (error instanceof SetupProblem) return error;
	const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
	if (code === 'ENOSPC') return new SetupProblem(FULL_DISK);
	if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
		return new SetupProblem(
			`${path ?? 'The project folder'} cannot be written: check who owns it.`,
		);
	}
	return undefined;
}

/** What npm, pnpm and node-gyp print when the machine, and not the project, made them fail. */
export function problemInOutput(output: string): SetupProblem | undefined {
	if (/ENOSPC|no space left on device/i.test(output)) return new SetupProblem(FULL_DISK);
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET/.test(output)) {
		return new SetupProblem(
			'The npm registry cannot be reached: check the network or the proxy, then run this again.',
		);
	}
	return undefined;
}
