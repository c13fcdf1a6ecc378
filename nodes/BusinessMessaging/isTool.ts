import type { INode } from 'n8n-workflow';

/** Whether an AI agent runs the node. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}
