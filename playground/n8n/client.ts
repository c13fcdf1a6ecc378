import { credentials } from './rest/credentials.ts';
import { dataTables } from './rest/dataTables.ts';
import { executions } from './rest/executions.ts';
import { openSession, type Session } from './rest/session.ts';
import { workflows } from './rest/workflows.ts';

/** What the editor can do, for the demo and the tests. */
export async function connect(url: string, keyLabel = 'playground') {
	return await clientFor(await openSession(url), keyLabel);
}

export async function clientFor(session: Session, keyLabel: string) {
	return {
		session,
		credentials: credentials(session),
		workflows: workflows(session),
		executions: await executions(session, keyLabel),
		dataTables: await dataTables(session),
	};
}

export type N8nClient = Awaited<ReturnType<typeof connect>>;
