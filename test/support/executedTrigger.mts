import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { contextOn, ProcessedData } from './processedData.mts';
import type { WebhookSetting } from './webhookDouble.mts';

/** n8n's database. */
const database = new ProcessedData();
let executions = 0;

type Setting = Omit<WebhookSetting, 'mode'> & {
	mode?: WorkflowExecuteMode;
	table?: ProcessedData;
	/** What n8n adds to an execution, or has not. */
	more?: object;
};

/** The execution of the trigger that n8n starts with these items. */
export async function execute(items: IDataObject[] = [], setting: Setting = {}) {
	const { nodeId = 'node', workflowId = 'workflow', mode = 'webhook', parameters = {} } = setting;
	const { context, node, log } = contextOn(setting.table ?? database, nodeId, workflowId);
	const itself = { ...context.getNode(), ...setting.settings };
	const hints: unknown[] = [];
	Object.assign(context, {
		getNode: () => itself,
		getExecuteData: () => ({ node, data: { main: [items.map((json) => ({ json }))] } }),
		getExecutionId: () => String(executions++),
		getMode: () => mode,
		addExecutionHints: (hint: unknown) => hints.push(hint),
		getNodeParameter: (name: string, _: number, fallback?: unknown) => parameters[name] ?? fallback,
		...setting.more,
	});
	const outputs = await new BusinessMessagingTrigger().execute.call(context);
	return { output: outputs[0], outputs, hints, log };
}
