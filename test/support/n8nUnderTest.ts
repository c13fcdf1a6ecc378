import { randomUUID } from 'node:crypto';
import { connect } from '../../playground/n8n/client.ts';

jest.setTimeout(60_000);

/** The n8n that globalSetup started, with a session of this test file's own. */
export async function n8nUnderTest() {
	const url = process.env.E2E_N8N_URL;
	if (!url) throw new Error('Start these tests with: npm run e2e');
	return { url, client: await connect(url, `e2e ${randomUUID()}`) };
}

export type N8nUnderTest = Awaited<ReturnType<typeof n8nUnderTest>>;
