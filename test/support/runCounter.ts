import { createServer } from 'node:http';
import { close, listen } from './listen.ts';

export interface RunCounter {
	url: string;
	/** How often each address below the URL was called. */
	runs: Map<string, number>;
	close(): Promise<void>;
}

/** Counts the runs of a workflow that calls it: no list of executions is as sure and as cheap. */
export async function startRunCounter(): Promise<RunCounter> {
	const runs = new Map<string, number>();
	const server = createServer((request, response) => {
		const id = decodeURIComponent((request.url ?? '').slice(1));
		runs.set(id, (runs.get(id) ?? 0) + 1);
		response.end();
	});
	return {
		url: await listen(server),
		runs,
		close: async () => await close(server),
	};
}
