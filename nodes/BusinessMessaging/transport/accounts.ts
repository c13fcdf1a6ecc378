import { createHash } from 'crypto';

import type { Clock } from '../clock';
import type { Connection } from './connection';
import { createPacer } from './pacing/pacer';
import { createTurns } from './pacing/turns';
import type { Turns } from './pacing/turns';

const accounts = new Map<string, Turns>();

/** Opens, or joins, the turns that everything in this process shares which uses the same base URL and key. */
export function openTurns({ baseUrl, apiKey }: Connection, clock: Clock): Turns {
	const account = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
	const known = accounts.get(account);
	if (known) return known;
	for (const [other, turns] of accounts) {
		if (turns.isIdle()) accounts.delete(other);
	}
	const turns = createTurns(createPacer(Math.random), clock);
	accounts.set(account, turns);
	return turns;
}
