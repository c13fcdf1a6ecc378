import { isRecord } from './isRecord';
import { idOf } from './textOf';

/** Any answer of the server, whatever its status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	/** Parsed when it is JSON, else the text. */
	body: unknown;
}

export function isGood(status: number): boolean {
	return status >= 200 && status <= 299;
}

/** Whether the API took the request: a good status, and not `success: false` in the envelope (2.1). */
export function isAccepted({ status, body }: Answer): boolean {
	return isGood(status) && !(isRecord(body) && body.success === false);
}

/** The ID of the message (2.2), when the answer has one. */
export function messageIdOf(answer: Answer): string | undefined {
	return idOf(dataOf(answer)?.message_id);
}

/** `data` of the envelope (2.1), when it is an object. */
export function dataOf({ body }: Answer): Record<string, unknown> | undefined {
	return isRecord(body) && isRecord(body.data) ? body.data : undefined;
}
