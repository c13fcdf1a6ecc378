import type { Misbehavior } from './faultServer.ts';

function answer(status: string, type: string, body: string): Misbehavior {
	const head = [
		`HTTP/1.1 ${status}`,
		`content-type: ${type}`,
		`content-length: ${Buffer.byteLength(body)}`,
		'connection: close',
	];
	return (socket) => socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function json(status: string, body: object): Misbehavior {
	return answer(status, 'application/json', JSON.stringify(body));
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
			'application/json',
			JSON.stringify({ message: said }).replaceAll('/', '\\/'),
		),
		sentWithKey: json('200 OK', {
			success: true,
			data: { message_id: 'm1', status: 'sent', request: { headers: [`X-API-Key: ${key}`] } },
		}),
		longText401: answer('401 Unauthorized', 'text/plain', `${'x'.repeat(190)} ${said}`),
		shortened401: json('401 Unauthorized', { message: `${'x'.repeat(194)}${key}` }),
		page403: answer('403 Forbidden', 'text/html', `<!doctype html><p>${said}</p>`),
		error500: json('500 Internal Server Error', { message: said }),
		header302: (socket) =>
			socket.end(`HTTP/1.1 302 Found\r\nlocation: /?key=${key}\r\ncontent-length: 0\r\n\r\n`),
	} satisfies Record<string, Misbehavior>;
}
