import { credentials } from './rest/credentials.mts';
import { dataTables } from './rest/dataTables.mts';
import { executions } from './rest/executions.mts';
import { openSession, type Session } from './rest/session.mts';
import { workflows } from './rest/workflows.mts';

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
