/** As most senders do. */
export async function postJson(url: string, body: unknown): Promise<Response> {
	const headers = { 'content-type': 'application/json' };
	return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
