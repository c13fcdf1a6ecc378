import type { IDataObject } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { contextOn, ProcessedData } from './processedData.mts';
import type { WebhookSetting } from './webhookDouble.mts';

/** n8n's database. */
const table = new ProcessedData();
let executions = 0;

/** What the trigger puts out, in the execution that n8n starts with these items. */
export async function execute(
	items: IDataObject[] = [],
	setting: WebhookSetting = {},
): Promise<unknown[]> {
	const { nodeId = 'node', workflowId = 'workflow', mode = 'webhook', parameters = {} } = setting;
	const { context, node } = contextOn(table, nodeId, workflowId);
	const itself = { ...context.getNode(), ...setting.settings };
	Object.assign(context, {
		getNode: () => itself,
		getExecuteData: () => ({ node, data: { main: [items.map((json) => ({ json }))] } }),
		getExecutionId: () => String(executions++),
		getMode: () => mode,
		addExecutionHints: () => undefined,
		getNodeParameter: (name: string, _: number, fallback?: unknown) => parameters[name] ?? fallback,
	});
	const [output] = await new BusinessMessagingTrigger().execute.call(context);
	return output;
}
