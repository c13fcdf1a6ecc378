import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalApi, type LocalApi, type Settings } from '../playground/api/server.mts';
import { DEVELOPMENT_KEY } from '../playground/api/wellKnown.mts';
import { cacheFolder } from '../playground/folders.mts';
import { saveAccount } from '../playground/n8n/account.mts';
import type { N8nClient } from '../playground/n8n/client.mts';
import { installCommunityPackage } from '../playground/n8n/communityPackage.mts';
import { installN8n } from '../playground/n8n/install.mts';
import { startN8n, type N8n } from '../playground/n8n/start.mts';
import { packPackage } from '../playground/n8n/tarball.mts';
import type { Log } from '../playground/run.mts';

export const userFolder = join(cacheFolder, 'bench');
export const WEBHOOK_SECRET = 'secret-of-the-bench';

/** n8n's setting that the README recommends under Scaling. */
export const LAZY_ACQUIRE = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE';

/** A user folder without executions of earlier runs, with the package as users install it. */
export async function prepareStage(say: Log): Promise<{ tarball: string }> {
	await installN8n(say);
	const tarball = await packPackage(say);
	await rm(userFolder, { recursive: true, force: true });
	await installCommunityPackage(userFolder, tarball);
	return { tarball };
}

export interface Stage {
	n8n: N8n;
	api: LocalApi;
	credentials: CredentialIds;
}

type CredentialId = { id: string; name: string };

export interface CredentialIds {
	ours: CredentialId;
	/** The same key for HTTP Request. */
	header: CredentialId;
	/** The trigger's token for the Webhook node. */
	token: CredentialId;
}

/**
 * Runs work with an n8n and a local API that end with it. The API checks and keeps nothing.
 * @param env settings of n8n
 */
export async function onStage<T>(
	apiSettings: Partial<Settings>,
	work: (stage: Stage) => Promise<T>,
	env: Record<string, string> = {},
): Promise<T> {
	const api = await startLocalApi({
		validateRequests: false,
		recordCalls: false,
		...apiSettings,
	});
	try {
		const n8n = await startN8n({ userFolder, env });
		try {
			return await work({ n8n, api, credentials: await saveCredentials(n8n.client, api.url) });
		} finally {
			await n8n.stop();
		}
	} finally {
		await api.close();
	}
}

export async function saveCredentials(client: N8nClient, baseUrl: string): Promise<CredentialIds> {
	const { credentials } = client;
	return {
		ours: await saveAccount({ client }, 'Bench', { baseUrl, webhookSecret: WEBHOOK_SECRET }),
		header: await credentials.save({
			name: 'Bench key',
			type: 'httpHeaderAuth',
			data: { name: 'X-API-Key', value: DEVELOPMENT_KEY },
		}),
		token: await credentials.save({
			name: 'Bench token',
			type: 'httpHeaderAuth',
			data: { name: 'X-Webhook-Token', value: WEBHOOK_SECRET },
		}),
	};
}
