import { containerName, InputError, quote } from '../../errors/inputError';
import { isBlank } from '../../isBlank';
import { parseMoment } from './moment';

/** Clocks of two machines differ; more than this ahead is a wrong date. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

/**
 * The time of the customer's last message as epoch ms.
 * @param timezone for dates without an offset
 * @throws InputError when there is none, it can't be read, or it lies in the future
 */
export function readCustomerLastMessageAt(value: unknown, timezone: string, now: number): number {
	if (isBlank(value)) {
		throw new InputError(
			"Category is Auto, but Customer's Last Message At is empty",
			'Map the time of the customer\'s last message, for example "timestamp" of the incoming message, or choose a fixed category.',
		);
	}
	const time = parseMoment(value, timezone);
	if (time === undefined) {
		throw new InputError(
			`Customer's Last Message At is not a date: ${shown(value)}`,
			'Use a date and time such as 2026-01-31T14:05:00Z, or choose a fixed category.',
		);
	}
	if (time > now + CLOCK_SKEW_MS) {
		throw new InputError(
			`Customer's Last Message At is in the future: ${quote(new Date(time).toISOString())}`,
			'Check the date and its time zone.',
		);
	}
	return time;
}

function shown(value: unknown): string {
	if (value instanceof Date) return quote(String(value));
	return containerName(value) ?? quote(String(value));
}
