import type { logOf } from './api/log.mts';

/** A local API, in this process or another. */
export interface ApiAddress {
	/** As n8n reaches it. */
	url: string;
}

/** Calls one of its routes below /playground. */
export async function callApi<T>(
	{ url }: ApiAddress,
	method: string,
	path: string,
	body?: object,
): Promise<T> {
	const response = await fetch(`${url}/playground${path}`, {
		method,
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (response.ok) return (await response.json()) as T;
	throw new Error(`The local API answered ${response.status} to ${method} ${path}.`);
}

export async function logOfApi(api: ApiAddress) {
	return await callApi<ReturnType<typeof logOf>>(api, 'GET', '/log');
}
