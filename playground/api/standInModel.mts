import type { FastifyInstance } from 'fastify';

export interface ChatMessage {
	role: string;
	content: unknown;
	tool_calls?: object[];
}

export interface ChatRequest {
	stream?: boolean;
	messages: ChatMessage[];
	tools?: Array<{
		function: { name: string; description: string; parameters: Record<string, unknown> };
	}>;
}

const EXAMPLE = 'Tell Asha at +1 202 555 0110 that her order A-17 arrives on Friday.';

/** For the demo's agent, which has no model: knows one kind of sentence, and calls the tool for it. */
export function standInModel(app: FastifyInstance, _options: object, done: () => void): void {
	app.post<{ Body: ChatRequest }>('/chat/completions', ({ body }, reply) => {
		const { type, text } = completion(answer(body), body.stream === true);
		return reply.type(type).send(text);
	});
	done();
}

function answer({ messages, tools }: ChatRequest): ChatMessage {
	const last = messages.at(-1);
	if (last?.role === 'tool') return says(`The tool answered: ${String(last.content)}`);
	const asked = JSON.stringify(last?.content ?? '');
	const found = /Tell (?<name>\w+) at (?<phone>\+[\d ]+\d).* order (?<order>\S+) .*on (?<day>\w+)/i;
	const { name, phone, order, day } = found.exec(asked)?.groups ?? {};
	const tool = tools?.[0]?.function;
	if (!name || !tool) return says(`I know only sentences such as: ${EXAMPLE}`);
	const words = { phone_number: phone, first_name: name, order_number: order, day };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [toolCall(1, tool.name, { toolParameters: words, hitlParameters: {} })],
	};
}

const says = (text: string): ChatMessage => ({
	role: 'assistant',
	content: `(No AI, a stand-in for a model.) ${text}`,
});

export function toolCall(count: number, name: string | undefined, words: object) {
	return {
		id: `call_${count}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(words) },
	};
}

/** As OpenAI's API responds. */
export function completion(message: ChatMessage, asStream: boolean) {
	const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const delta = calls ? { ...message, tool_calls: calls } : message;
	const choice = { index: 0, finish_reason: calls ? 'tool_calls' : 'stop' };
	const json = JSON.stringify({
		id: 'chat_1',
		object: asStream ? 'chat.completion.chunk' : 'chat.completion',
		created: 0,
		model: 'stub',
		choices: [asStream ? { ...choice, delta } : { ...choice, message }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	});
	return {
		type: asStream ? 'text/event-stream' : 'application/json',
		text: asStream ? `data: ${json}\n\ndata: [DONE]\n\n` : json,
	};
}
