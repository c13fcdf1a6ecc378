import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

export interface KeyWatcher {
	/** Without a slash at the end. */
	url: string;
	/** Every request that arrived: its method and path, and the API key that it brought. */
	requests: Array<{ line: string; key: string | undefined }>;
	close: () => Promise<void>;
}

/**
 * A server that notes which requests bring the API key. It answers with JSON;
 * `/redirect/307?to=…` redirects, and `/page?next=…` names a next page.
 */
export async function startKeyWatcher(host = '127.0.0.1'): Promise<KeyWatcher> {
	const requests: KeyWatcher['requests'] = [];
	const server = createServer((request, response) => {
		const key = request.headers['x-api-key']?.toString();
		requests.push({ line: `${request.method} ${request.url}`, key });
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		const status = Number(/^\/redirect\/(\d+)/.exec(pathname)?.[1] ?? 200);
		const location = searchParams.get('to');
		response.writeHead(status, {
			'content-type': 'application/json',
			...(location && { location }),
		});
		response.end(JSON.stringify({ success: true, next: searchParams.get('next') }));
	});
	return { url: await listen(server, host), requests, close: async () => await close(server) };
}
