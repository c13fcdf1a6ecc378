/** A client of an MCP server over HTTP. */
export async function connectMcp(url: string) {
	let id = 0;
	let sessionId: string | null = null;

	async function post(message: object): Promise<Response> {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(sessionId ? { 'mcp-session-id': sessionId } : {}),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		if (!response.ok) throw new Error(`MCP answered ${response.status}: ${await response.text()}`);
		return response;
	}

	const initialized = await post({
		id: ++id,
		method: 'initialize',
		params: {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		},
	});
	sessionId = initialized.headers.get('mcp-session-id');
	await initialized.text();
	await (await post({ method: 'notifications/initialized' })).text();

	return {
		/** @returns the answer as it came */
		call: async (method: string, params: object): Promise<string> =>
			await (await post({ id: ++id, method, params })).text(),
	};
}
