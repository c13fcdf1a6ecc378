import type { IWebhookFunctions } from 'n8n-workflow';

const MAX_BODY_BYTES = 1024 * 1024;
const TOO_LARGE = { status: 413, problem: 'The body is over 1 MiB' };
const UNREADABLE = { status: 400, problem: 'The body could not be read' };

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

/**
 * The bytes of a request, unpacked. n8n has read the kinds of body that it knows; the others are
 * read here.
 * @returns the bytes, or how to answer without them
 */
export async function readBody(
	request: Request,
): Promise<{ bytes: Buffer } | { status: number; problem: string }> {
	// Before they are read: the sender's own figure.
	if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return TOO_LARGE;
	try {
		await request.readRawBody();
	} catch (error) {
		// Over n8n's own limit.
		return (error as { status?: unknown }).status === TOO_LARGE.status ? TOO_LARGE : UNREADABLE;
	}
	return request.rawBody.length > MAX_BODY_BYTES ? TOO_LARGE : { bytes: request.rawBody };
}
