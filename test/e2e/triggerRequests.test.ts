import fc from 'fast-check';

import { saveAccount } from '../../playground/n8n/account.ts';
import { publish } from '../../playground/n8n/publish.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import {
	anyHttpRequest,
	send,
	type HttpAnswer,
	type HttpRequest,
} from '../support/anyHttpRequest.ts';
import { isN8nBefore, n8nUnderTest } from '../support/n8nUnderTest.ts';
import { triggerWorkflow } from '../support/triggerWorkflow.ts';

const REQUESTS = Number(process.env.WEBHOOK_REQUESTS ?? 400);
const AT_ONCE = 10;
const SECRET = 'requests-secret';

jest.setTimeout(60_000 + 200 * REQUESTS);

const ANSWERS: Record<number, RegExp> = {
	200: /^\{"status":"(accepted|ignored|duplicate)"\}$|^This address receives events/,
	400: /^\{"status":"error","message":".+"\}$/,
	401: /^\{"status":"error","message":"The token is missing or wrong"\}$/,
};

/** Before the node: methods without a webhook, bodies that it can't read, broken gzip (500). */
const ANSWERS_OF_N8N: Record<number, RegExp> = {
	204: /^$/,
	400: /"The submitted form data could not be parsed/,
	404: /^$|"This webhook is not registered for (PUT|DELETE) requests/,
	422: /"Failed to parse request body"/,
	500: /^\{"code":0,/,
};

test('no request whatsoever makes an error of the node or a run that should not be', async () => {
	const n8n = await n8nUnderTest();
	const credential = await saveAccount(n8n, 'Requests', { webhookSecret: SECRET });
	const { saved, address } = await publish(
		n8n,
		triggerWorkflow({ events: ['message.incoming'], authentication: 'secretToken' }, credential),
	);

	const requests = fc.sample(anyHttpRequest(SECRET, new Date().toISOString()), REQUESTS).values();
	const unexpected: unknown[] = [];
	let accepted = 0;
	const sender = async () => {
		for (const request of requests) {
			const answer = await send(address, request);
			if (answer.body === '{"status":"accepted"}') accepted++;
			if (!isExpected(request, answer)) unexpected.push({ request, answer });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sender));

	expect(unexpected).toEqual([]);
	expect(accepted).toBeGreaterThan(0);
	const runs = async (...status: Array<Execution['status']>) =>
		await n8n.client.executions.countOf(saved.id, status);
	await n8n.client.executions.allEnded(saved.id);
	expect(await runs('success')).toBe(accepted);
	expect(await runs('error', 'crashed')).toBe(0);
});

function isExpected({ headers }: HttpRequest, { status, body }: HttpAnswer): boolean {
	if (status === 500 && !n8nFailsOn(headers)) return false;
	return [ANSWERS[status], ANSWERS_OF_N8N[status]].some((answer) => answer?.test(body));
}

/** Before the node gets the request: older n8n also on forms that they can't read. */
function n8nFailsOn(headers: HttpRequest['headers']): boolean {
	if (headers['content-encoding'] === 'gzip') return true;
	return isN8nBefore(41) && /^multipart/.test(headers['content-type'] ?? '');
}
