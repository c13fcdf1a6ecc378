import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import {
	completion,
	toolCall,
	type ChatMessage,
	type ChatRequest,
} from '../../playground/api/standInModel.mts';
import { close, listen } from './listen.mts';

export { saveModel, withModel } from '../../playground/n8n/model.mts';

type Arguments = Record<string, unknown>;

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
		const calls = [model.toolArguments]
			.flat()
			.map((words, index) => toolCall(results.length + index + 1, name, words));
		return { role: 'assistant', content: null, tool_calls: calls };
	}

	const server = createServer((request, response) => {
		// n8n's own Agents try a newer API first.
		if (!request.url?.endsWith('/chat/completions')) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
			return;
		}
		void json(request).then((read) => {
			const body = read as ChatRequest;
			model.requests.push(body);
			const { type, text } = completion(answer(body), body.stream === true);
			response.setHeader('content-type', type).end(text);
		});
	});
	return Object.assign(model, {
		/** The base URL to enter in the credential. */
		url: `${await listen(server)}/v1`,
		close: async () => await close(server),
	});
}

export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;
