import type { LocalApi } from '../api/server.ts';
import { DEVELOPMENT_KEY } from '../api/wellKnown.ts';
import type { N8n } from '../n8n/start.ts';
import type { SavedWorkflow } from '../n8n/rest/workflows.ts';
import { customerTable, loadWorkflow, webhookUrl, withToken } from './workflows.ts';

const WEBHOOK_SECRET = 'playground-secret';

export interface Scene {
	n8n: Pick<N8n, 'url' | 'client'>;
	api: LocalApi;
	tableId: string;
	autoReply: SavedWorkflow;
	formToCrm: SavedWorkflow;
}

/** What a user does by hand: credential, table, both workflows, the webhook URLs. What is there is updated. */
export async function setUp(n8n: Scene['n8n'], api: LocalApi): Promise<Scene> {
	const { credentials, dataTables, workflows } = n8n.client;
	const credential = await credentials.save({
		name: 'Business Messaging API',
		type: 'businessMessagingApi',
		data: { baseUrl: api.url, apiKey: DEVELOPMENT_KEY, webhookSecret: WEBHOOK_SECRET },
	});
	const table = await dataTables.save(customerTable.name, customerTable.columns);
	const publish = async (fileName: 'auto-reply' | 'form-to-crm') => {
		const saved = await workflows.save(await loadWorkflow(fileName, credential));
		await workflows.publish(saved);
		await workflows.waitForWebhook(webhookUrl(n8n.url, saved));
		return saved;
	};
	const autoReply = await publish('auto-reply');
	const formToCrm = await publish('form-to-crm');
	api.webhookUrls = [autoReply, formToCrm].map((workflow) =>
		withToken(webhookUrl(n8n.url, workflow), WEBHOOK_SECRET),
	);
	return { n8n, api, tableId: table.id, autoReply, formToCrm };
}
