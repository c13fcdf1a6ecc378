import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../playground/folders.ts';
import { installCommunityPackage } from '../../playground/n8n/communityPackage.ts';
import { startN8n } from '../../playground/n8n/start.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { filesWith } from '../support/searchFolder.ts';
import { callTrigger, runActions } from '../support/secretRuns.ts';

const SECRETS = {
	// Some servers write "/" as "\/" in JSON.
	apiKey: 'key-4f1c/7a90d2e8b653',
	webhookSecret: 'hook-91b3e06d7c5af248',
	previousWebhookSecret: 'prev-c07d52a8f6194be3',
};
const RECIPIENT = '+12025550173';
const RECEIVED = 'received-5e2d8c14';

jest.setTimeout(240_000);

const userFolder = join(cacheFolder, 'e2e-secrets');
/** As n8n's API gives it, in plain form. */
let executionData: string;
let webhookStatuses: number[];
let logFile: string;

/** An n8n of its own, which tells everything in its log. */
beforeAll(async () => {
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, await packPackage());
	const n8n = await startN8n({ userFolder, env: { N8N_LOG_LEVEL: 'debug' } });
	({ logFile } = n8n);
	try {
		const actions = await runActions(n8n, SECRETS, RECIPIENT);
		const { executions, statuses } = await callTrigger(n8n, SECRETS, RECEIVED);
		executionData = JSON.stringify([...actions, ...executions]);
		webhookStatuses = statuses;
	} finally {
		// Only then is everything written.
		await n8n.stop();
	}
});

// SECURITY, The API key: the key and the secrets are in no output, error, hint or log
test('the runs had successes and failures, which are where the secrets are searched', () => {
	expect(webhookStatuses).toEqual([
		200, 200, 200, 200, 401, 401, 401, 400, 422, 500, 200, 200, 200, 404,
	]);
	expect(executionData).toContain(RECEIVED);
	for (const trace of ['"outcome":"unknown"', '"httpStatus":401', '"hints":[{', '•••']) {
		expect(executionData).toContain(trace);
	}
	const database = expect.stringMatching(/database\.sqlite(-wal)?$/);
	expect(filesWith(userFolder, RECIPIENT)).toContainEqual(database);
	expect(filesWith(userFolder, RECEIVED)).toContainEqual(database);
	expect(filesWith(userFolder, 'Webhook request answered 401')).toContain(logFile);
});

test.each([
	...Object.entries(SECRETS),
	// Where a message is shortened in the middle of the key.
	['beginning of the apiKey', SECRETS.apiKey.slice(0, 6)],
])('the %s is in no execution, error, hint or log, nor in the database', (_, secret) => {
	expect(executionData).not.toContain(secret);
	expect(filesWith(userFolder, secret)).toEqual([]);
});
