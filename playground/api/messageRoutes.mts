import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contractViolations } from './contract.mts';
import { accept, sentMessage, statusRecord, type SendRequest } from './messages.mts';
import { courseOf } from './progress.mts';
import { breakConnection } from './refuse.mts';
import { Refused } from './refused.mts';
import type { ServerState } from './state.mts';
import { announce } from './statusEvents.mts';
import { ANSWER_LOST, REFUSALS } from './wellKnown.mts';

/** The two endpoints of section 4 of the API document. */
export function handleMessages(app: FastifyInstance, state: ServerState): void {
	const { settings, messages } = state;

	function refuseBreaches({ call }: FastifyRequest): void {
		if (!settings.validateRequests) return;
		const breaches = settings.refuseUndocumented ? call.violations : contractViolations(call);
		if (breaches.length > 0) throw Refused.because(400, breaches.join('; '));
	}

	function send(request: FastifyRequest, reply: FastifyReply) {
		refuseBreaches(request);
		const body = request.call.body as SendRequest;
		const course = courseOf(body.to, settings, Date.now());
		const message = accept(request.account, body, course, state.windows);
		messages.set(message.messageId, message);
		announce(message, state.webhooks, state.timers);
		if (message.to === ANSWER_LOST) {
			breakConnection(request, reply);
			return reply;
		}
		return reply.send({ success: true, data: sentMessage(message) });
	}

	function status(request: FastifyRequest<{ Params: { messageId: string } }>, reply: FastifyReply) {
		const { messageId } = request.params;
		if (messageId === '') throw Refused.because(404);
		refuseBreaches(request);
		const refusal = REFUSALS.find(({ templateName }) => templateName === messageId);
		if (refusal) throw new Refused(refusal);
		const message = messages.get(messageId);
		if (message?.account !== request.account) throw Refused.because(404, 'No such message');
		return reply.send({ success: true, data: statusRecord(message, Date.now()) });
	}

	app.post('/integrations/messages/send', send);
	app.get('/integrations/messages/status/:messageId', status);
}
