import { execFile, execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyFreePort } from '../ports.mts';
import { SetupProblem } from '../setupProblem.mts';
import { runningService, runTool, startService, type Account, type Service } from './service.mts';

const USER = 'n8n';

/** The PostgreSQL of this machine, empty and on a free port; or the database of the address. */
export async function startPostgres(runningUrl?: string): Promise<Service> {
	if (runningUrl) return runningService(runningUrl);
	const programs = programFolder();
	const account = unprivilegedAccount();
	const port = await anyFreePort();
	const folder = await mkdtemp(join(tmpdir(), 'queue-postgres-'));
	if (account) await chown(folder, account.uid, account.gid);
	const data = join(folder, 'data');

	await runTool(
		join(programs, 'initdb'),
		['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
		account,
	);
	return await startService(`postgres://${USER}@127.0.0.1:${port}/postgres`, {
		path: join(programs, 'postgres'),
		parameters: ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder],
		account,
		folder,
	});
}

/** @returns the first column of each row */
export async function runSql(url: string, sql: string): Promise<string[]> {
	const psql = join(programFolder(), 'psql');
	const parameters = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql, url];
	const { stdout } = await promisify(execFile)(psql, parameters);
	return stdout.split('\n').filter(Boolean);
}

/** Debian and Homebrew keep the programs of each version beside each other and off the PATH. */
const PLACES = [
	'/usr/lib/postgresql/*/bin',
	'/opt/homebrew/opt/postgresql@*/bin',
	'/usr/local/opt/postgresql@*/bin',
];

function programFolder() {
	const newest = globSync(PLACES).sort().at(-1);
	if (newest) return newest;
	throw new SetupProblem(
		'PostgreSQL is missing: install the package "postgresql", or set QUEUE_POSTGRES_URL.',
	);
}

/** PostgreSQL refuses to run as root. Debian's package has made a user for it. */
function unprivilegedAccount(): Account | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres']));
	return { uid: idOf('-u'), gid: idOf('-g') };
}
