import type { LocalApi } from '../api/server.ts';
import type { N8n } from '../n8n/start.ts';
import type { SavedWorkflow } from '../n8n/rest/workflows.ts';
import { saveAccount } from './account.ts';
import { publish } from './publish.ts';
import { customerTable, loadWorkflow, withToken } from './workflows.ts';

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
	const credential = await saveAccount(n8n, 'Business Messaging API', {
		baseUrl: api.url,
		webhookSecret: WEBHOOK_SECRET,
	});
	const table = await n8n.client.dataTables.save(customerTable.name, customerTable.columns);
	const autoReply = await publish(n8n, await loadWorkflow('auto-reply', credential));
	const formToCrm = await publish(n8n, await loadWorkflow('form-to-crm', credential));
	api.webhookUrls = [autoReply, formToCrm].map(({ address }) => withToken(address, WEBHOOK_SECRET));
	return { n8n, api, tableId: table.id, autoReply: autoReply.saved, formToCrm: formToCrm.saved };
}
