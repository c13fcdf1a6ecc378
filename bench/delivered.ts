import type { LocalApi } from '../playground/api/server.ts';

/** How many different recipients got exactly one message. */
export function deliveredOnce({ messages }: LocalApi): number {
	const counts = new Map<string, number>();
	for (const { to } of messages.values()) counts.set(to, (counts.get(to) ?? 0) + 1);
	return [...counts.values()].filter((count) => count === 1).length;
}
