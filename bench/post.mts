import { Agent, request } from 'node:http';

/** Kept open: what is measured is n8n, not the making of connections. */
const agent = new Agent({ keepAlive: true });

/** Unlike fetch without a deadline: an answer after 100,000 sends takes minutes. */
export async function post(
	url: string,
	body: string,
	headers: Record<string, string> = {},
): Promise<string> {
	return await new Promise((resolve, reject) => {
		const outgoing = request(
			url,
			{ method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
			(response) => {
				let text = '';
				response.setEncoding('utf8');
				response.on('data', (chunk: string) => (text += chunk));
				response.on('error', reject);
				response.on('end', () => {
					if (response.statusCode === 200) resolve(text);
					else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 500)}`));
				});
			},
		);
		outgoing.on('error', (error: NodeJS.ErrnoException) => {
			// n8n closed the connection while nothing was sent on it.
			const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET';
			if (isStale) post(url, body, headers).then(resolve, reject);
			else reject(error);
		});
		outgoing.end(body);
	});
}
