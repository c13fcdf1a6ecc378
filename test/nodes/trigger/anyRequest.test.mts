import fc from 'fast-check';

import { anyText } from '../../support/anyBody.mts';
import { sample } from '../../support/sample.mts';
import { NOW, callWebhook, SECRET } from '../../support/webhookDouble.mts';

it('answers any request at all with an answer of the table, and never throws', async () => {
	const body = fc.oneof(
		anyText(NOW).map((value) => ({ rawBody: Buffer.from(value) })),
		fc.uint8Array().map((bytes) => ({ rawBody: Buffer.from(bytes) })),
		anyText(NOW).map((value) => ({ unread: Buffer.from(value) })),
		fc.constant({ unread: new Error('request aborted') }),
	);
	const token = fc.oneof(fc.constant(SECRET), fc.string(), fc.array(fc.string()), fc.object());
	const query = fc.oneof(fc.record({ token }), fc.object(), fc.constant(undefined));
	const headers = fc.dictionary(
		fc.constantFrom('x-webhook-token', 'authorization', 'content-length', 'content-type'),
		fc.oneof(
			fc.constantFrom(SECRET, `Bearer ${SECRET}`, '-1', 'NaN'),
			fc.string(),
			fc.array(fc.string()),
		),
	);
	const request = fc.tuple(body, query, headers, fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()));
	const options = fc.constantFrom({}, { ipAllowlist: '10.0.0.0/8' });
	const events = fc.constant(['message.incoming']);
	const authentication = fc.constantFrom('none', 'secretToken');
	const parameters = fc.record({ events, options, authentication });
	await fc.assert(
		fc.asyncProperty(request, parameters, async ([sent, q, h, ip], given) => {
			const received = { ...sent, query: q, headers: h, ip };
			const { status, body: answer, items } = await callWebhook(received, { parameters: given });
			expect([200, 400, 401, 403, 413]).toContain(status);
			const word = (answer as { status: string }).status;
			if (status === 200) expect(['accepted', 'ignored', 'duplicate']).toContain(word);
			expect(items === undefined).toBe(word !== 'accepted');
		}),
		sample(200),
	);
});
