import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site where the user expected the API: every address answers with a page of HTML. */
export async function startWebPage(status = 200) {
	const server = createServer((_, response) => {
		response.writeHead(status, { 'content-type': 'text/html' });
		response.end('<!doctype html><html><head><title>Welcome</title></head><body>Hi</body></html>');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => await new Promise((resolve) => server.close(resolve)),
	};
}
