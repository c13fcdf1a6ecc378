// Why a run asks no more of the API.

export const NO_ANSWERS = 'Check that the service is running, or try again later.';

export const NOT_TRIED = 'This item was not tried, because those before it failed for this reason.';

/** The latest moment that a date can tell. */
const MAX_DATE_MS = 8.64e15;

/** @param time epoch ms */
export function refusedUntil(time: number): string {
	const [day, clock] = new Date(Math.min(time, MAX_DATE_MS)).toISOString().split('T');
	return `The API takes no more requests until ${day} ${clock.slice(0, 5)} UTC.`;
}

export function refusedFor(ms: number): string {
	return `The API refused every request for ${Math.round(ms / 60_000)} minutes.`;
}
