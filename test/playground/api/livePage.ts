import type { LocalApi } from '../../../playground/api/server.ts';
import { eventually } from '../../../playground/eventually.ts';

type Entry = Record<string, unknown> & { kind: string };

/** An open phone page, as far as the server sees it. */
export async function openLivePage(api: LocalApi) {
	const leaving = new AbortController();
	const response = await fetch(`${api.url}/playground/live`, { signal: leaving.signal });
	const events: Array<{ name: string; entries: Entry[] }> = [];
	let ended = false;

	async function read() {
		let text = '';
		for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
			text += chunk;
			for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
				const [, name, data] = /event: (.*)\ndata: (.*)/.exec(text.slice(0, end))!;
				events.push({ name, entries: JSON.parse(data) });
				text = text.slice(end + 2);
			}
		}
	}
	void read()
		.catch(() => undefined)
		.finally(() => (ended = true));

	return {
		response,
		events,
		leave: () => leaving.abort(),
		hasEnded: () => ended,
		/** What the page has heard of one kind since it opened, each time it changed. */
		heard: (kind: string) =>
			events.flatMap(({ entries }) => entries.filter((entry) => entry.kind === kind)),
		/** Waits for the given number of them. */
		async hears(kind: string, count: number): Promise<Entry[]> {
			await eventually(`${count} of ${kind}`, () => this.heard(kind).length >= count);
			return this.heard(kind);
		},
	};
}
