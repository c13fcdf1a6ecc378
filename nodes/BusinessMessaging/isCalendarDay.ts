/**
 * Whether there is such a day. Date takes 30 February to be 2 March.
 * @param day as `2026-02-28`
 */
export function isCalendarDay(day: string): boolean {
	const time = Date.parse(day);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
