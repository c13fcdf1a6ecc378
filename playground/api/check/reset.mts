import type { ResetUnit } from '../settings.mts';

interface Answered {
	headers: Record<string, string | string[] | undefined>;
	/** Epoch ms. */
	receivedAt: number;
}

/** Where the clocks differ by more, the server's counts. */
const CLOCK_TOLERANCE_MS = 3000;

/** When the window ends, counted from the answer, and how the API says it; undefined when nobody can read it. */
export function resetOf({
	headers,
	receivedAt,
}: Answered): { unit: ResetUnit; inMs: number } | undefined {
	const text = String(headers['x-ratelimit-reset'] ?? '').trim();
	const serverTime = Date.parse(String(headers.date));
	const now = Math.abs(serverTime - receivedAt) > CLOCK_TOLERANCE_MS ? serverTime : receivedAt;
	const unit = unitOf(text);
	const time = {
		epochMs: Number(text),
		epochSeconds: Number(text) * 1000,
		deltaSeconds: now + Number(text) * 1000,
		isoDate: Date.parse(text),
		httpDate: Date.parse(text),
	}[unit];
	return text === '' || Number.isNaN(time) ? undefined : { unit, inMs: time - now };
}

function unitOf(text: string): ResetUnit {
	const number = Number(text);
	if (Number.isNaN(number)) return /^\d{4}-/.test(text) ? 'isoDate' : 'httpDate';
	if (number >= 1e12) return 'epochMs';
	return number >= 1e9 ? 'epochSeconds' : 'deltaSeconds';
}

/** Requests left; undefined without a number. */
export function remainingOf({ headers }: Pick<Answered, 'headers'>): number | undefined {
	const text = headers['x-ratelimit-remaining'];
	return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined;
}
