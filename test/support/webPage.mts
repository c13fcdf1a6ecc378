import { createServer } from 'node:http';
import { close, listen } from './listen.mts';

/** A web site where the user expected the API: every address answers with a page of HTML. */
export async function startWebPage(status = 200) {
	const server = createServer((_, response) => {
		response.writeHead(status, { 'content-type': 'text/html' });
		response.end('<!doctype html><html><head><title>Welcome</title></head><body>Hi</body></html>');
	});
	return { url: await listen(server), close: async () => await close(server) };
}
