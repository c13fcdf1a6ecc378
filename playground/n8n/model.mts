import type { N8nClient } from './client.mts';
import { changed } from './examples.mts';
import type { Workflow } from './rest/workflows.mts';

interface WithCredentials {
	client: Pick<N8nClient, 'credentials'>;
}

/** A credential with which n8n's OpenAI nodes reach a chat model. */
export async function saveModel(
	{ client }: WithCredentials,
	{ url }: { url: string },
	name = `Model ${url}`,
): Promise<{ id: string; name: string }> {
	const data = { apiKey: 'not-used', url };
	return await client.credentials.save({ name, type: 'openAiApi', data });
}

/** An example whose node "Chat model" is this one. */
export function withModel(example: Workflow, { id, name }: { id: string; name: string }): Workflow {
	const workflow = changed(example, 'Chat model', { responsesApiEnabled: false });
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Chat model' ? { ...node, credentials: { openAiApi: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}
