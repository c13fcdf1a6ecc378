import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
		if (settings.validateRequests && call.violations.length > 0) {
			throw Refused.because(400, call.violations.join('; '));
		}
	}

	function send(request: FastifyRequest, reply: FastifyReply) {
		refuseBreaches(request);
		const body = request.call.body as SendRequest;
		const course = courseOf(body.to, settings, Date.now());
		const message = accept(messages, body, course, state.windows);
		announce(message, state.webhooks, state.timers);
		if (message.to === ANSWER_LOST) {
			breakConnection(request, reply);
			return reply;
		}
		return reply.send({ success: true, data: sentMessage(message) });
	}

	function status(request: FastifyRequest<{ Params: { messageId: string } }>, reply: FastifyReply) {
		refuseBreaches(request);
		const { messageId } = request.params;
		const refusal = REFUSALS.find(({ templateName }) => templateName === messageId);
		if (refusal) throw new Refused(refusal);
		const message = messages.get(messageId);
		if (!message) throw Refused.because(404, 'No such message');
		return reply.send({ success: true, data: statusRecord(message, Date.now()) });
	}

	app.post('/integrations/messages/send', send);
	app.get('/integrations/messages/status/:messageId', status);
}
