import type { Settings } from './settings.mts';
import { FAILS, NEVER_READ, STAYS_SENT } from './wellKnown.mts';

/** When a message changes its status, fixed at sending; undefined = never. The status follows from the clock, without a timer. */
export interface Course {
	sentAt: number;
	deliveredAt?: number;
	readAt?: number;
	failedAt?: number;
}

export function courseOf(recipient: string, settings: Settings, sentAt: number): Course {
	const arrivesAt = sentAt + settings.deliveredAfterMs;
	if (recipient === STAYS_SENT) return { sentAt };
	if (recipient === FAILS) return { sentAt, failedAt: arrivesAt };
	if (recipient === NEVER_READ) return { sentAt, deliveredAt: arrivesAt };
	return { sentAt, deliveredAt: arrivesAt, readAt: arrivesAt + settings.readAfterMs };
}

export interface Progress {
	status: 'sent' | 'delivered' | 'read' | 'failed';
	deliveredAt?: number;
	readAt?: number;
}

export function progressOf({ deliveredAt, readAt, failedAt }: Course, now: number): Progress {
	const isPast = (time: number | undefined) => time !== undefined && time <= now;
	if (isPast(failedAt)) return { status: 'failed' };
	if (isPast(readAt)) return { status: 'read', deliveredAt, readAt };
	if (isPast(deliveredAt)) return { status: 'delivered', deliveredAt };
	return { status: 'sent' };
}
