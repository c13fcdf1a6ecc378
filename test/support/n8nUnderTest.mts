import { randomUUID } from 'node:crypto';
import { clientFor } from '../../playground/n8n/client.mts';
import { n8nVersion } from '../../playground/n8n/install.mts';
import { sessionOf } from '../../playground/n8n/rest/session.mts';

/** A busy machine is no failure: a test that hangs is found all the same. */
jest.setTimeout(600_000);

/** A tag such as "next" has no numbers, and counts as newer than all. */
const [major, minor] = n8nVersion.split('.').map(Number);

/** For what 1.x does in another way; see `npm run e2e:1x`. */
const isN8n1 = major === 1;

/** For what came with a version of 2.x, at the latest; see `npm run e2e:range`. */
export function isN8nBefore(minorOf2: number): boolean {
	return isN8n1 || (major === 2 && minor < minorOf2);
}

interface Started {
	url: string;
	userFolder: string;
	cookie: string;
}

/** The n8n that globalSetup started for this Jest worker, whose user it has logged in. */
export function n8nOfThisWorker(): Started {
	const all = JSON.parse(process.env.E2E_N8N ?? '[]') as Started[];
	const n8n = all[Number(process.env.JEST_WORKER_ID) - 1];
	if (!n8n) throw new Error('Start these tests with: npm run e2e');
	return n8n;
}

/** That n8n, with an API key of this test file's own. */
export async function n8nUnderTest() {
	const { url, cookie } = n8nOfThisWorker();
	return { url, client: await clientFor(sessionOf(url, cookie), `e2e ${randomUUID()}`) };
}

export type N8nUnderTest = Awaited<ReturnType<typeof n8nUnderTest>>;
