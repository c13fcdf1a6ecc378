/** The one user of the playground's n8n. It listens on 127.0.0.1 only. */
export const owner = {
	email: 'owner@example.com',
	password: 'Playground-1',
	firstName: 'Play',
	lastName: 'Ground',
};

export interface Session {
	url: string;
	cookie: string;
	/** Calls the editor's own REST API and unwraps its `data`. */
	call<T>(method: string, path: string, body?: unknown): Promise<T>;
	/** Gets any page as the logged-in owner. */
	get(path: string): Promise<Response>;
}

async function send(url: string, method: string, path: string, cookie: string, body?: unknown) {
	const response = await fetch(`${url}/rest${path}`, {
		method,
		// A busy n8n closes connections that it kept open, just when the next request is on its way.
		headers: { 'content-type': 'application/json', cookie, connection: 'close' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok)
		throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
	return { response, data: text && (JSON.parse(text) as { data: unknown }).data };
}

/** Logs in, after making the owner's account when n8n is new. */
export async function openSession(url: string): Promise<Session> {
	const settings = await send(url, 'GET', '/settings', '');
	const { userManagement } = settings.data as {
		userManagement: { showSetupOnFirstLoad: boolean };
	};
	const { response } = userManagement.showSetupOnFirstLoad
		? await send(url, 'POST', '/owner/setup', '', owner)
		: await send(url, 'POST', '/login', '', {
				emailOrLdapLoginId: owner.email,
				password: owner.password,
			});
	const cookie = response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	return sessionOf(url, cookie);
}

/** Goes on with an earlier login: n8n allows five a minute. */
export function sessionOf(url: string, cookie: string): Session {
	return {
		url,
		cookie,
		call: async <T,>(method: string, path: string, body?: unknown) =>
			(await send(url, method, path, cookie, body)).data as T,
		get: async (path) => await fetch(url + path, { headers: { cookie } }),
	};
}
