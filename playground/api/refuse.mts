import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody } from './errorBody.mts';
import { rateLimitHeaders, retryAfterHeader } from './rateLimit.mts';
import { Refused } from './refused.mts';
import type { Settings } from './settings.mts';

/** Answers every error in the shape that the settings ask for. */
export function refuseWith(settings: Settings) {
	return function refuse(
		error: FastifyError | Refused,
		{ budget, fault }: FastifyRequest,
		reply: FastifyReply,
	): void {
		const { refusal } = error instanceof Refused ? error : refusedByFastify(error);
		const { contentType, text } = errorBody(fault?.errorShape ?? settings.errorShape, refusal);
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
