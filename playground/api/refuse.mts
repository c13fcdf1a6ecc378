import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { escaped } from './html.mts';
import { rateLimitHeaders, retryAfterHeader } from './rateLimit.mts';
import { Refused } from './refused.mts';
import type { ErrorShape, Settings } from './settings.mts';

interface ErrorBody {
	contentType?: string;
	text?: string;
}

/** The document does not show the shape of an error: these are the ways in which such APIs answer. */
const BODIES: Record<ErrorShape, (code: string | number, message: string) => ErrorBody> = {
	nested: (code, message) => json({ success: false, error: { code, message } }),
	flat: (code, message) => json({ code, message }),
	list: (code, message) => json({ errors: [{ code, message }] }),
	errorData: (code, message) => json({ error: { code, error_data: { details: message } } }),
	text: (code, message) => ({
		contentType: 'text/plain; charset=utf-8',
		text: `Error ${code}: ${message}`,
	}),
	html: (code, message) => ({
		contentType: 'text/html; charset=utf-8',
		text: `<!doctype html><html><head><title>${escaped(message)}</title></head><body><h1>${escaped(message)}</h1><p>Error ${code}</p></body></html>`,
	}),
	empty: () => ({}),
};

function json(body: object): ErrorBody {
	return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}

/** Answers every error in the shape that the settings ask for. */
export function refuseWith(settings: Settings) {
	return function refuse(
		error: FastifyError | Refused,
		{ budget }: FastifyRequest,
		reply: FastifyReply,
	): void {
		const { refusal } = error instanceof Refused ? error : refusedByFastify(error);
		const { contentType, text } = BODIES[settings.errorShape](refusal.code, refusal.message);
		const status = refusal.httpStatus ?? settings.networkErrorStatus;
		if (status === 429 && budget) {
			// Asked for by a well-known name, it comes with requests left: a client must not see that.
			const spent = { ...budget, remaining: budget.remaining && 0 };
			const now = Date.now();
			reply.headers(rateLimitHeaders(settings, spent, now));
			reply.headers(retryAfterHeader(settings, spent, now));
		}
		if (contentType) reply.type(contentType);
		reply.code(status).send(text);
	};
}

// Fastify's own refusals (a body too large, a URL that cannot be decoded) have statuses that the document does not know.
function refusedByFastify({ statusCode = 500, message }: FastifyError): Refused {
	return statusCode < 500 ? Refused.because(400, message) : Refused.because(500);
}

/** No answer at all, as if the server or the network had gone away. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
	reply.hijack();
	request.raw.socket.destroy();
}
