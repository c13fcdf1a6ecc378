import { randomUUID } from 'node:crypto';
import { clientFor } from '../../playground/n8n/client.ts';
import { sessionOf } from '../../playground/n8n/rest/session.ts';

jest.setTimeout(60_000);

/** The n8n that globalSetup started and logged in to, with an API key of this test file's own. */
export async function n8nUnderTest() {
	const url = process.env.E2E_N8N_URL;
	if (!url) throw new Error('Start these tests with: npm run e2e');
	const session = sessionOf(url, process.env.E2E_N8N_COOKIE ?? '');
	return { url, client: await clientFor(session, `e2e ${randomUUID()}`) };
}

export type N8nUnderTest = Awaited<ReturnType<typeof n8nUnderTest>>;
