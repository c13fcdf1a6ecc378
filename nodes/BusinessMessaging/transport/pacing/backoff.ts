const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 30_000;

/** 1 s, 2 s, 4 s … up to 30 s, with up to half of it off. */
export function backoff(tries: number, random: number): number {
	const full = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, tries - 1), MAX_DELAY_MS);
	return Math.ceil(full * (1 - random / 2));
}
