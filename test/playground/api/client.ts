import { startLocalApi, type LocalApi, type Settings } from '../../../playground/api/server.ts';
import { CUSTOMER, DEVELOPMENT_KEY } from '../../../playground/api/wellKnown.ts';

const SEND = '/api/integrations/messages/send';
const STATUS = '/api/integrations/messages/status/';

export const validMessage = {
	to: CUSTOMER,
	type: 'template',
	templateName: 'order_update',
	templateVariables: { '1': 'Asha' },
	category: 'utility',
};

/** The servers of a spec file, all closed after each test. */
export function localApis() {
	const started: LocalApi[] = [];
	afterEach(async () => {
		await Promise.all(started.splice(0).map(async (api) => await api.close()));
	});
	return async function start(settings?: Partial<Settings>): Promise<LocalApi> {
		const api = await startLocalApi(settings);
		started.push(api);
		return api;
	};
}

export interface Answer {
	status: number;
	headers: Record<string, string>;
	text: string;
	/** Undefined when the text is not JSON. */
	// The shape is what the tests are about.
	json: { success: boolean; data: Record<string, unknown>; error: Record<string, unknown> };
}

export async function call(
	api: LocalApi,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const response = await fetch(api.url + path, {
		method,
		headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
		body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		text,
		json: isJson ? JSON.parse(text) : undefined,
	};
}

export async function send(api: LocalApi, changes: object = {}, key = DEVELOPMENT_KEY) {
	return await call(api, 'POST', SEND, { ...validMessage, ...changes }, { 'X-API-Key': key });
}

export async function lookUp(api: LocalApi, messageId: unknown, key = DEVELOPMENT_KEY) {
	return await call(api, 'GET', STATUS + String(messageId), undefined, { 'X-API-Key': key });
}
