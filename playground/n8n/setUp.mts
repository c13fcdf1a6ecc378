import { callApi, type ApiAddress } from '../localApi.mts';
import { saveAccount } from './account.mts';
import { readExample, withCredential } from './examples.mts';
import { publish, withToken } from './publish.mts';
import { questionWorkflow } from './question.mts';
import type { SavedWorkflow, Workflow } from './rest/workflows.mts';
import type { N8n } from './start.mts';

const WEBHOOK_SECRET = 'playground-secret';

export const customerTable = {
	name: 'Customers',
	columns: ['submission_id', 'name', 'phone', 'interest'],
};

export interface Scene {
	n8n: Pick<N8n, 'url' | 'client'>;
	api: ApiAddress;
	tableId: string;
	autoReply: SavedWorkflow;
	formToCrm: SavedWorkflow;
	question: { saved: SavedWorkflow; address: string };
}

/** What a user does by hand: credential, table, the workflows, the webhook URLs. What is there is updated. */
export async function setUp(n8n: Scene['n8n'], api: ApiAddress): Promise<Scene> {
	const credential = await saveAccount(n8n, 'Business Messaging API', {
		baseUrl: api.url,
		webhookSecret: WEBHOOK_SECRET,
	});
	const table = await n8n.client.dataTables.save(customerTable.name, customerTable.columns);
	const autoReply = await publish(n8n, await loadWorkflow('auto-reply', credential));
	const formToCrm = await publish(n8n, await loadWorkflow('form-to-crm', credential));
	const question = await publish(n8n, questionWorkflow(credential));
	const urls = [autoReply, formToCrm].map(({ address }) => withToken(address, WEBHOOK_SECRET));
	await callApi(api, 'PUT', '/webhooks', { urls });
	return {
		n8n,
		api,
		tableId: table.id,
		question,
		autoReply: autoReply.saved,
		formToCrm: formToCrm.saved,
	};
}

/** An example as the user makes it ready for use: with their credential, and nothing pinned. */
async function loadWorkflow(
	name: 'auto-reply' | 'form-to-crm',
	credential: { id: string; name: string },
): Promise<Workflow> {
	return { ...withCredential(await readExample(name), credential), pinData: {} };
}
