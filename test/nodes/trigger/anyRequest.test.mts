import fc from 'fast-check';

import { anyText } from '../../support/anyBody.mts';
import { sample } from '../../support/sample.mts';
import { NOW, callWebhook, SECRET } from '../../support/webhookDouble.mts';

it('answers any request at all with an answer of the table, and never throws', async () => {
	const bytes = fc.oneof(anyText(NOW), fc.uint8Array()).map((content) => Buffer.from(content));
	const body = fc.oneof(
		bytes.map((rawBody) => ({ rawBody })),
		fc.oneof(bytes, fc.constant(new Error('request aborted'))).map((unread) => ({ unread })),
	);
	const text = fc.oneof(fc.string(), fc.array(fc.string()));
	const token = fc.oneof(fc.constant(SECRET), text, fc.object());
	const request = fc.record({
		query: fc.oneof(fc.record({ token }), fc.object(), fc.constant(undefined)),
		headers: fc.dictionary(
			fc.constantFrom('x-webhook-token', 'authorization', 'content-length', 'content-type'),
			fc.oneof(fc.constantFrom(SECRET, `Bearer ${SECRET}`, '-1', 'NaN'), text),
		),
		ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
	});
	const parameters = fc.record({
		events: fc.constant(['message.incoming']),
		options: fc.constantFrom({}, { ipAllowlist: '10.0.0.0/8' }),
		authentication: fc.constantFrom('none', 'secretToken'),
	});
	await fc.assert(
		fc.asyncProperty(body, request, parameters, async (sent, rest, given) => {
			const received = { ...sent, ...rest };
			const { status, body: answer, items } = await callWebhook(received, { parameters: given });
			expect([200, 400, 401, 403, 413]).toContain(status);
			const word = (answer as { status: string }).status;
			if (status === 200) expect(['accepted', 'ignored', 'duplicate']).toContain(word);
			expect(items === undefined).toBe(word !== 'accepted');
		}),
		sample(200),
	);
});
