import { randomUUID } from 'node:crypto';

/** An event that no other one is a repetition of. */
export function incomingEvent() {
	return {
		event: 'message.incoming',
		timestamp: '2026-01-31T14:05:00.000Z',
		data: { from: '+12025550110', text: randomUUID() },
	};
}

/** The body of such an event with something changed; undefined leaves a field out. */
export function incomingWith(change: object): { body: string } {
	return { body: JSON.stringify({ ...incomingEvent(), ...change }) };
}

/** The answers of the trigger. */
export const accepted = { status: 200, body: { status: 'accepted' } };
export const ignored = { status: 200, body: { status: 'ignored' } };
export const duplicate = { status: 200, body: { status: 'duplicate' } };

export function refused(status: number, message: RegExp) {
	return { status, body: { status: 'error', message: expect.stringMatching(message) } };
}
