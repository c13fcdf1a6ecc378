import { answer, type Misbehavior } from './faultServer.mts';

const JSON_TYPE = ['content-type: application/json'];

function json(status: string, body: object): Misbehavior {
	return answer(status, JSON.stringify(body), JSON_TYPE);
}

/** Answers that say the key again, as careless servers do. */
export function keyEchoes(key: string) {
	const said = `The key ${key} is not valid`;
	return {
		nested401: json('401 Unauthorized', { success: false, error: { code: 401, message: said } }),
		code401: json('401 Unauthorized', { code: key, error: key, message: key, detail: [key] }),
		headers401: json('401 Unauthorized', { message: 'Refused', request: { 'x-api-key': key } }),
		escaped401: answer(
			'401 Unauthorized',
			JSON.stringify({ message: said }).replaceAll('/', '\\/'),
			JSON_TYPE,
		),
		sentWithKey: json('200 OK', {
			success: true,
			data: { message_id: 'm1', status: 'sent', request: { headers: [`X-API-Key: ${key}`] } },
		}),
		escapedText401: answer(
			'401 Unauthorized',
			`{"message":"${said.replaceAll('/', '\\u002f')}"`,
			JSON_TYPE,
		),
		sentWithKeyInHeaders: answer(
			'200 OK',
			'{"success":true,"data":{"message_id":"m1","status":"sent"}}',
			[...JSON_TYPE, `x-ratelimit-remaining: ${key}`, `x-ratelimit-reset: of ${key}`],
		),
		longText401: answer('401 Unauthorized', `${'x'.repeat(190)} ${said}`, [
			'content-type: text/plain',
		]),
		shortened401: json('401 Unauthorized', { message: `${'x'.repeat(194)}${key}` }),
		page403: answer('403 Forbidden', `<!doctype html><p>${said}</p>`, ['content-type: text/html']),
		error500: json('500 Internal Server Error', { message: said }),
		header302: (socket) =>
			socket.end(`HTTP/1.1 302 Found\r\nlocation: /?key=${key}\r\ncontent-length: 0\r\n\r\n`),
	} satisfies Record<string, Misbehavior>;
}
