import type { FastifyRequest } from 'fastify';
import { contractViolations, undocumentedParts } from './contract.mts';

export interface ApiCall {
	method: string;
	/** With its query. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed if it is JSON, else the text; undefined without one. */
	body: unknown;
	receivedAt: number;
	/** Null while there is no answer, and when the connection broke before it. */
	answeredStatus: number | null;
	/** The text of the answer. */
	answer: string;
	violations: string[];
}

export function callOf(request: FastifyRequest): ApiCall {
	return {
		method: request.method,
		path: request.url,
		headers: request.headers,
		body: undefined,
		receivedAt: Date.now(),
		answeredStatus: null,
		answer: '',
		violations: [],
	};
}

/** Completes the call once its body is there. */
export function readBody(call: ApiCall, text: unknown): void {
	call.body = typeof text === 'string' ? parsedOrText(text) : undefined;
}

export function checkContract(call: ApiCall): void {
	call.violations = [...contractViolations(call), ...undocumentedParts(call)];
}

function parsedOrText(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
