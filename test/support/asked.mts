import type { IWebhookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';
import type {
	AskedQuestion,
	Question,
} from '../../nodes/BusinessMessaging/actions/sendAndWait/question';
import { createVirtualClock } from './virtualClock.mts';

export const QUESTION: Question = {
	kind: 'approval',
	text: 'May we?',
	choices: ['Yes', 'No'],
	asksReason: false,
};

/** A question that was sent when a virtual clock starts, whose time is over after a minute. */
export const ASKED: AskedQuestion = {
	round: 1,
	question: QUESTION,
	until: createVirtualClock().now() + 60_000,
	message: { message_id: 'm1' },
};

/** Signs links as n8n does: by their path and query. */
export function signing(execution = '7', origin = 'https://n8n.example.com') {
	return {
		getSignedResumeUrl: (query: Record<string, string> = {}) => {
			const signed = `/webhook-waiting/${execution}/2?${String(new URLSearchParams(query))}`;
			const signature = createHash('sha256').update(`secret${signed}`).digest('hex');
			return `${origin}${signed}&signature=${signature}`;
		},
	};
}

/** A visit to the page of a question, without n8n. */
export function visit(
	asked: AskedQuestion | (() => never) | undefined,
	{ method = 'POST', query = {}, body = {}, path = '/webhook-waiting/1/2' } = {},
) {
	const sent = { status: 200, body: '', headers: {} as Record<string, string>, count: 0 };
	const response = {
		set: (headers: object) => {
			Object.assign(sent.headers, headers);
			return response;
		},
		status: (code: number) => {
			sent.status = code;
			return response;
		},
		send: (page: unknown) => {
			sent.body = String(page);
			sent.count += 1;
			return response;
		},
		json: (json: unknown) => {
			sent.body = JSON.stringify(json);
			return response;
		},
	};
	const logged: string[] = [];
	const context = {
		...signing(),
		getRequestObject: () => ({ method, query: { round: '1', ...query }, path }),
		getResponseObject: () => response,
		getBodyData: () => body,
		getNode: () => ({ name: 'Ask' }),
		evaluateExpression: () => [typeof asked === 'function' ? asked() : asked],
		logger: { error: (line: string) => logged.push(line) },
	} as unknown as IWebhookFunctions;
	return { context, response, sent, logged };
}
