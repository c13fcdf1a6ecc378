import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { N8nClient } from '../../playground/n8n/client.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { changed } from './examples.mts';
import { close, listen } from './listen.mts';

type Arguments = Record<string, unknown>;

interface ChatMessage {
	role: string;
	content: unknown;
	tool_calls?: object[];
}

interface ChatRequest {
	stream?: boolean;
	messages: ChatMessage[];
	tools?: Array<{
		function: { name: string; description: string; parameters: Record<string, unknown> };
	}>;
}

async function readJson(request: IncomingMessage) {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
}

function respond(response: ServerResponse, message: ChatMessage, asStream: boolean) {
	const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = calls ? { ...message, tool_calls: calls } : message;
	const choice = { index: 0, finish_reason: calls ? 'tool_calls' : 'stop' };
	const completion = {
		id: 'chat_1',
		object: asStream ? 'chat.completion.chunk' : 'chat.completion',
		created: 0,
		model: 'stub',
		choices: [asStream ? { ...choice, delta } : { ...choice, message }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
	const json = JSON.stringify(completion);
	response.setHeader('content-type', asStream ? 'text/event-stream' : 'application/json');
	response.end(asStream ? `data: ${json}\n\ndata: [DONE]\n\n` : json);
}

/** A chat model that calls the tool it is offered, and repeats what the tool said; without one, what it was asked. */
export async function startChatModel() {
	const model = {
		requests: [] as ChatRequest[],
		/** What the tool is called with, or with what each time in one step; may be replaced. */
		toolArguments: {} as Arguments | Arguments[],
		/** Its name, if not the first one; may be replaced. */
		toolName: undefined as string | undefined,
		/** How often it calls the tool, each time with the same arguments; may be replaced. */
		toolCalls: 1,
	};

	function answer({ messages, tools }: ChatRequest): ChatMessage {
		if (!tools) {
			const asked = messages.findLast(({ role }) => role === 'user');
			return { role: 'assistant', content: `You asked: ${String(asked?.content)}` };
		}
		const results = messages.filter(({ role }) => role === 'tool');
		if (results.length >= model.toolCalls) {
			return { role: 'assistant', content: `The tool said: ${String(results.at(-1)?.content)}` };
		}
		const name = model.toolName ?? tools[0]?.function.name;
		const calls = [model.toolArguments].flat().map((words, index) => ({
			id: `call_${results.length + index + 1}`,
			type: 'function',
			function: { name, arguments: JSON.stringify(words) },
		}));
		return { role: 'assistant', content: null, tool_calls: calls };
	}

	const server = createServer((request, response) => {
		// n8n's own Agents try a newer API first.
		if (!request.url?.endsWith('/chat/completions')) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
			return;
		}
		void readJson(request).then((body) => {
			model.requests.push(body);
			respond(response, answer(body), body.stream === true);
		});
	});
	return Object.assign(model, {
		/** The base URL to enter in the credential. */
		url: `${await listen(server)}/v1`,
		close: async () => await close(server),
	});
}

export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;

interface WithCredentials {
	client: Pick<N8nClient, 'credentials'>;
}

/** A credential with which n8n's OpenAI nodes reach it. */
export async function saveModel({ client }: WithCredentials, { url }: ChatModel) {
	const data = { apiKey: 'not-used', url };
	return await client.credentials.save({ name: `Model ${url}`, type: 'openAiApi', data });
}

/** An example whose node "Chat model" is this one. */
export async function withModel(n8n: WithCredentials, example: Workflow, model: ChatModel) {
	const { id, name } = await saveModel(n8n, model);
	const workflow = changed(example, 'Chat model', { responsesApiEnabled: false });
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Chat model' ? { ...node, credentials: { openAiApi: { id, name } } } : node,
	);
	return { ...workflow, nodes };
}
