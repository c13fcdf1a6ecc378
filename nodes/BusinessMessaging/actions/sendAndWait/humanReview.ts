import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { isRecord } from '../../isRecord';

/** Whether n8n runs the node as the "Human review" of an agent's tool. */
export function isHumanReview({ type }: INode): boolean {
	return type.endsWith('HitlTool');
}

/** How n8n's own message shows the tool's parameters. */
const OBJECT = '[object Object]';

/** The message with the parameters of the tool that waits for approval, where n8n could not show them. */
export function withToolCall(context: IExecuteFunctions, message: string): string {
	if (!message.includes(OBJECT)) return message;
	const { $tool: tool } = context.getWorkflowDataProxy(0) as { $tool?: unknown };
	const parameters = isRecord(tool) ? tool.parameters : undefined;
	return isRecord(parameters) ? message.replaceAll(OBJECT, () => listOf(parameters)) : message;
}

function listOf(parameters: Record<string, unknown>): string {
	return Object.entries(parameters)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}
