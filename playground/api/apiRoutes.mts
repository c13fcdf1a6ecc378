import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf, checkContract, readBody, type ApiCall } from './calls.mts';
import { handleMessages } from './messageRoutes.mts';
import { rateLimitHeaders, type Budget } from './rateLimit.mts';
import { breakConnection, refuseWith } from './refuse.mts';
import { Refused } from './refused.mts';
import type { ServerState } from './state.mts';
import type { ApiKey, Plan } from './wellKnown.mts';

declare module 'fastify' {
	interface FastifyRequest {
		call: ApiCall;
		account: string;
		budget?: Budget;
	}
}

const PLANS_WITH_API_ACCESS: Plan[] = ['Scale', 'Enterprise'];
/** Shares a counter: requests without a key, and with one that no account has. */
const NOBODY = '';

/** Everything below /api: what all calls have in common, in the order key, plan, rate limit, failure, contract. */
export function apiRoutes(state: ServerState) {
	const { settings } = state;

	function record(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
		request.call = callOf(request);
		if (settings.recordCalls) state.calls.push(request.call);
		done();
	}

	function guard(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
		const { call } = request;
		readBody(call, request.body);
		if (settings.recordCalls || settings.validateRequests) checkContract(call);
		const found = settings.apiKeys.find(({ key }) => key === request.headers['x-api-key']);
		const counter = settings.rateLimitPer === 'key' ? found?.key : found?.account;
		request.budget = state.rateLimit.spend(counter ?? NOBODY, call.receivedAt);
		reply.headers(rateLimitHeaders(settings, request.budget, call.receivedAt));
		request.account = authorizedAccount(found);
		if (!request.budget.allowed) throw Refused.because(429);
		const failure = settings.failNext.shift();
		if (failure === 0) return breakConnection(request, reply);
		if (failure !== undefined) throw Refused.because(failure);
		done();
	}

	function answerLate(
		request: FastifyRequest,
		reply: FastifyReply,
		payload: unknown,
		done: (error: null, payload: unknown) => void,
	): void {
		request.call.answeredStatus = reply.statusCode;
		request.call.answer = typeof payload === 'string' ? payload : '';
		const { latencyMs } = settings;
		if (latencyMs === 0) return done(null, payload);
		state.timers.after(latencyMs, () => done(null, payload));
	}

	return function register(app: FastifyInstance, _options: object, done: () => void): void {
		app.removeAllContentTypeParsers();
		// The text as it came: a request is recorded even when it is not JSON.
		app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
			parsed(null, body);
		});
		app.addHook('onRequest', record);
		app.addHook('preHandler', guard);
		app.addHook('onSend', answerLate);
		app.setErrorHandler(refuseWith(settings));
		app.setNotFoundHandler(() => {
			throw Refused.because(404);
		});
		handleMessages(app, state);
		done();
	};
}

/** The account behind a key; refuses with 401 or 403 (section 5 of the API document). */
function authorizedAccount(found: ApiKey | undefined): string {
	if (!found) throw Refused.because(401);
	if (!PLANS_WITH_API_ACCESS.includes(found.plan)) throw Refused.because(403);
	return found.account;
}

/** A URL that cannot be decoded reaches no route and no hook; it is a request all the same. */
export function badUrl(state: ServerState) {
	const refuse = refuseWith(state.settings);

	return function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
		const call = { ...callOf(request), answeredStatus: 400, violations: [error.message] };
		if (state.settings.recordCalls) state.calls.push(call);
		refuse(error, request, reply);
	};
}
