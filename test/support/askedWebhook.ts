import type { IWebhookFunctions } from 'n8n-workflow';

import type { Asked } from '../../nodes/BusinessMessaging/actions/operation';
import type { PageResponse } from '../../nodes/BusinessMessaging/actions/sendAndWait/webhook';
import { signing } from './asked.ts';

/** A visit to the page of a question, without n8n. */
export function visit(
	asked: Asked | (() => never) | undefined,
	{ method = 'POST', query = {}, body = {}, path = '/webhook-waiting/1/2' } = {},
) {
	const sent = { status: 200, body: '', headers: {} as Record<string, string>, count: 0 };
	const response: PageResponse = {
		set: (headers) => {
			Object.assign(sent.headers, headers);
			return response;
		},
		status: (code) => {
			sent.status = code;
			return response;
		},
		send: (page) => {
			sent.body = String(page);
			sent.count += 1;
			return response;
		},
		json: (json) => {
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
		evaluateExpression: () => (typeof asked === 'function' ? asked() : asked),
		logger: { error: (line: string) => logged.push(line) },
	} as unknown as IWebhookFunctions;
	return { context, response, sent, logged };
}
