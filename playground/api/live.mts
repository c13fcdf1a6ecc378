import type { ServerResponse } from 'node:http';
import type { PageEntry } from './pageEntries.mts';
import type { Timers } from './timers.mts';

const LOOK_EVERY_MS = 200;
/** A page that does not read is cut off: its browser connects again, and is sent the state anew. */
const UNREAD_LIMIT_BYTES = 4_000_000;
const RECONNECT_AFTER_MS = 1000;

/**
 * Tells open pages what there is, and then what changes, by server-sent events. It looks for changes
 * while a page is open: calls and deliveries change in place, and a status follows from the clock.
 */
export function createLive(entries: () => PageEntry[], timers: Timers) {
	const pages = new Set<ServerResponse>();
	/** What the pages have been told, as JSON by entry. */
	let told = new Map<string, string>();
	let watching = false;

	function send(page: ServerResponse, event: string, texts: Iterable<string>): void {
		page.write(`event: ${event}\ndata: [${[...texts].join()}]\n\n`);
		if (page.writableLength > UNREAD_LIMIT_BYTES) page.destroy();
	}

	function tellChanges(): void {
		const present = new Map(entries().map((entry) => [entry.id, JSON.stringify(entry)]));
		const changed = [...present].filter(([id, text]) => told.get(id) !== text);
		told = present;
		if (changed.length === 0) return;
		const texts = changed.map(([, text]) => text);
		for (const page of pages) send(page, 'change', texts);
	}

	function watch(closing: boolean): void {
		if (closing) for (const page of pages) page.end();
		watching = !closing && pages.size > 0;
		if (!watching) return;
		tellChanges();
		timers.after(LOOK_EVERY_MS, watch);
	}

	return {
		pages,
		/** Takes over an answer that has not begun, until the page goes away or the server closes. */
		open(page: ServerResponse): void {
			page.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
			page.write(`retry: ${RECONNECT_AFTER_MS}\n`);
			page.once('close', () => pages.delete(page));
			tellChanges();
			send(page, 'state', told.values());
			pages.add(page);
			if (watching) return;
			watching = true;
			timers.after(LOOK_EVERY_MS, watch);
		},
	};
}

export type Live = ReturnType<typeof createLive>;
