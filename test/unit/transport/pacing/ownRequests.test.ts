import { createOwnRequests } from '../../../../nodes/BusinessMessaging/transport/pacing/ownRequests';
import type { OwnRequest } from '../../../../nodes/BusinessMessaging/transport/pacing/ownRequests';

const WINDOW_MS = 60_000;
const MAX_LOG = 10_000;

const send = { limit: 60, isLookUp: false, startedAt: 0 };
const lookUp = { ...send, isLookUp: true };

/** @param requests in the order of their ends */
function ended(...requests: Array<Partial<OwnRequest> & { endedAt: number }>) {
	const own = createOwnRequests(WINDOW_MS);
	for (const { endedAt, ...rest } of requests) {
		const request = { ...send, ...rest };
		own.start(request);
		own.end(request, endedAt, true);
	}
	return own;
}

describe('the highest limit', () => {
	it('is that of a run with a limit', () => {
		const own = ended({ limit: 20, endedAt: 1 }, { limit: 60, endedAt: 2 });
		own.start({ ...send, limit: Infinity });
		expect(own.highestLimit()).toBe(60);
	});

	it('is forgotten with the last request that had it', () => {
		const own = ended({ limit: 20, endedAt: 100 });
		const notMade = { ...send };
		own.start(notMade);
		own.end(notMade, 100, false);
		expect(own.highestLimit()).toBe(20);
		own.forgetEndedBy(100);
		expect(own.highestLimit()).toBe(0);
	});
});

it('a request that ended at the given moment is forgotten, a later one is not', () => {
	const own = ended({ endedAt: 99 }, { endedAt: 100 }, { endedAt: 101 });
	own.forgetEndedBy(100);
	expect(own.ended()).toBe(1);
	expect(own.upTo(Infinity)).toBe(1);
});

it('of more ended requests than it keeps, the oldest is forgotten', () => {
	const own = ended(...Array.from({ length: MAX_LOG + 1 }, (_, endedAt) => ({ endedAt })));
	expect(own.ended()).toBe(MAX_LOG);
	expect(own.upTo(Infinity)).toBe(MAX_LOG);
	expect(own.leftAt(1)).toBe(1 + WINDOW_MS);
});

it('the last look-up is not the last request', () => {
	const own = createOwnRequests(WINDOW_MS);
	own.start(send);
	expect(own.lastLookUpAt()).toBe(-Infinity);
	own.start({ ...lookUp, startedAt: 100 });
	own.start({ ...send, startedAt: 200 });
	expect([own.lastLookUpAt(), own.lastStartAt()]).toEqual([100, 200]);
});

it.each([
	[101, 299, 1],
	[100, 299, 0],
	[101, 300, 0],
])('a request from %d to %d, between 100 and 300, counts %d', (startedAt, endedAt, count) => {
	expect(ended({ startedAt, endedAt }).within(100, 300)).toBe(count);
});

describe('the moment when requests are out of the count', () => {
	const own = ended({ endedAt: 100 }, { limit: 20, endedAt: 200 }, { endedAt: 300 });

	it.each([
		[1, 60, 100 + WINDOW_MS],
		[3, 60, 300 + WINDOW_MS],
		[4, 60, Infinity],
		[1, 20, 200 + WINDOW_MS],
		[2, 20, Infinity],
	])('%d with a limit up to %d: %d', (number, most, leftAt) => {
		expect(own.leftAt(number, ({ limit }) => limit <= most)).toBe(leftAt);
	});
});
