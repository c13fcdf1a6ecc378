/** A request of this process. All times are ticks in ms. */
export interface OwnRequest {
	/** Requests per window that its run allows itself; Infinity for no limit. */
	limit: number;
	/** Asks for the status of a message that somebody waits for. */
	isLookUp: boolean;
	startedAt: number;
	endedAt?: number;
}

/** Bounds the memory of accounts without a limit. */
const MAX_LOG = 10_000;

/** Our own part of what the API counts: requests under way, and those that ended within a window. */
export function createOwnRequests(windowMs: number) {
	/** In the order of their ends. */
	const ended: Array<Required<OwnRequest>> = [];
	const underWay = new Set<OwnRequest>();
	const byLimit = new Map<number, number>();
	let lookUps = 0;
	let lastLookUpAt = -Infinity;
	let lastStartAt = -Infinity;

	function count({ limit, isLookUp }: OwnRequest, change: 1 | -1): void {
		const sum = (byLimit.get(limit) ?? 0) + change;
		if (sum > 0) byLimit.set(limit, sum);
		else byLimit.delete(limit);
		if (isLookUp) lookUps += change;
	}

	function dropOldest(): void {
		count(ended.shift() as OwnRequest, -1);
	}

	function forgetEndedBy(time: number): void {
		while (ended.length > 0 && ended[0].endedAt <= time) dropOldest();
	}

	return {
		start(request: OwnRequest): void {
			underWay.add(request);
			count(request, 1);
			lastStartAt = request.startedAt;
			if (request.isLookUp) lastLookUpAt = request.startedAt;
		},
		/** @param isCounted whether the API may have counted it */
		end(request: OwnRequest, now: number, isCounted: boolean): void {
			underWay.delete(request);
			if (!isCounted) return count(request, -1);
			ended.push({ ...request, endedAt: now });
			if (ended.length > MAX_LOG) dropOldest();
		},
		forgetEndedBy,
		haveEndedBy: (time: number) =>
			underWay.size === 0 && ended.every(({ endedAt }) => endedAt <= time),
		underWay: () => underWay.size,
		lookUps: () => lookUps,
		lastLookUpAt: () => lastLookUpAt,
		lastStartAt: () => lastStartAt,
		ended: () => ended.length,
		/** Those of runs that allow themselves no more than this. */
		upTo(limit: number): number {
			let sum = 0;
			for (const [other, number] of byLimit) if (other <= limit) sum += number;
			return sum;
		},
		/** The most that a run with a request here allows itself; 0 without one. */
		highestLimit: () => Math.max(0, ...[...byLimit.keys()].filter(Number.isFinite)),
		/** Those that began after a moment, and ended before another. */
		within: (after: number, before: number) =>
			ended.filter(({ startedAt, endedAt }) => startedAt > after && endedAt < before).length,
		/**
		 * When so many of those that are meant are out of the count.
		 * @returns Infinity when that depends on what is under way
		 */
		leftAt(number: number, isMeant: (request: OwnRequest) => boolean = () => true): number {
			const leaving = ended.filter(isMeant)[number - 1];
			return leaving ? leaving.endedAt + windowMs : Infinity;
		},
	};
}
