import type { LocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';

/** The links in the messages that the API has got, oldest first. */
export function linksIn(api: LocalApi): string[] {
	return [...api.messages.values()].flatMap(({ templateVariables }) =>
		Object.values(templateVariables).filter((value) => value.includes('/webhook-waiting/')),
	);
}

/** The link of the newest message, once there are so many. */
export async function nextLink(api: LocalApi, count = 1): Promise<string> {
	return await eventually(`link ${count}`, () => linksIn(api)[count - 1]);
}

/** The same, once n8n has stored the wait. Until then it answers links itself, with 409 or 500. */
export async function openLink(api: LocalApi, count = 1) {
	const link = await nextLink(api, count);
	const page = await eventually('the page of the question', async () => {
		const opened = await look(link);
		return opened.status === 200 && opened;
	});
	return { link, html: page.html };
}

/** What a browser without scripts does with the page: no cookie, no script. */
export async function look(link: string) {
	return await read(await fetch(link));
}

export async function answer(link: string, fields: Record<string, string>) {
	return await read(await fetch(link, { method: 'POST', body: new URLSearchParams(fields) }));
}

async function read(response: Response) {
	const html = await response.text();
	return {
		status: response.status,
		html,
		heading: /<h1>(.*?)<\/h1>/.exec(html)?.[1],
		policy: response.headers.get('content-security-policy') ?? '',
		headers: response.headers,
	};
}
