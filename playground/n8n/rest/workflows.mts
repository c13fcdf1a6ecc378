import { eventually } from '../../eventually.mts';
import type { Session } from './session.mts';

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	webhookId?: string;
	credentials?: Record<string, { id: string | null; name: string }>;
	onError?: 'continueRegularOutput' | 'continueErrorOutput' | 'stopWorkflow';
	[setting: string]: unknown;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** By node: what it puts out in runs by hand. */
	pinData?: Record<string, Array<{ json: Record<string, unknown> }>>;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
}

export function workflows(session: Session) {
	return {
		/** Creates it, or makes a new version of the one of the same name. */
		async save(workflow: Workflow): Promise<SavedWorkflow> {
			const filter = encodeURIComponent(JSON.stringify({ name: workflow.name, isArchived: false }));
			const found = await session.call<Array<{ id: string; name: string }>>(
				'GET',
				`/workflows?filter=${filter}`,
			);
			const existing = found.find(({ name }) => name === workflow.name);
			return existing
				? await session.call('PATCH', `/workflows/${existing.id}`, workflow)
				: await session.call('POST', '/workflows', { active: false, ...workflow });
		},

		async publish({ id, versionId }: SavedWorkflow): Promise<void> {
			await session.call('POST', `/workflows/${id}/activate`, { versionId });
		},

		async unpublish(id: string): Promise<void> {
			await session.call('POST', `/workflows/${id}/deactivate`, {});
		},

		/**
		 * Runs it as the editor's button does, from the trigger of that name.
		 * @param chatSessionId waits for a message of the editor's chat instead
		 */
		async run(
			id: string,
			trigger: string,
			chatSessionId?: string,
		): Promise<{ executionId: string }> {
			return await session.call('POST', `/workflows/${id}/run`, {
				chatSessionId,
				// n8n 1.x runs what it is sent, later ones what they have.
				workflowData: await session.call('GET', `/workflows/${id}`),
				triggerToStartFrom: { name: trigger },
			});
		},

		/** Runs one node with what others put out before, as the editor's Execute step does. */
		async executeStep(id: string, nodeName: string, runData: object): Promise<void> {
			await session.call('POST', `/workflows/${id}/run`, {
				workflowData: await session.call('GET', `/workflows/${id}`),
				destinationNode: { nodeName, mode: 'inclusive' },
				runData,
				dirtyNodeNames: [],
			});
		},

		/**
		 * Publishing is asynchronous: waits until the production URL is registered. A CORS preflight
		 * lists the method once it is, and runs nothing.
		 */
		async waitForWebhook(webhookUrl: string, method = 'POST'): Promise<void> {
			await eventually(`${method} ${webhookUrl}`, async () => {
				const response = await fetch(webhookUrl, {
					method: 'OPTIONS',
					headers: { origin: session.url, 'access-control-request-method': method },
				});
				const methods = response.headers.get('access-control-allow-methods') ?? '';
				return response.ok && methods.includes(method);
			});
		},
	};
}
