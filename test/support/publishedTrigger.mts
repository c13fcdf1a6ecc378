import { eventually } from '../../playground/eventually.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';
import { triggerWorkflow, type TriggerParameters } from './triggerWorkflow.mts';

export interface Post {
	query?: string;
	headers?: Record<string, string>;
	body?: string;
}

/** A published workflow of a trigger and nothing else, under a URL of its own. */
export async function publishTrigger(
	n8n: N8nUnderTest,
	parameters: TriggerParameters,
	credential?: { id: string; name: string },
) {
	const { saved, address } = await publish(n8n, triggerWorkflow(parameters, credential));
	const runs = async () => await n8n.client.executions.count(saved.id);

	return {
		id: saved.id,
		runs,

		async post({ query = '', headers, body }: Post) {
			const response = await fetch(address + query, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body,
			});
			const text = await response.text();
			const type = response.headers.get('content-type') ?? '';
			return { status: response.status, body: type.includes('json') ? JSON.parse(text) : text };
		},

		/** n8n lists a run when it has finished, a moment after the answer. */
		async expectRuns(count: number) {
			await eventually(`${count} runs`, async () => (await runs()) >= count);
			expect(await runs()).toBe(count);
		},
	};
}

export type PublishedTrigger = Awaited<ReturnType<typeof publishTrigger>>;
