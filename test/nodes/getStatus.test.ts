import { NEVER_READ } from '../../playground/api/wellKnown.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { runNode } from '../support/runNode.ts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.ts'),
);

const CUSTOMER = '+14155552671';
const { api, sendTo, look } = localAccount({ deliveredAfterMs: 0, readAfterMs: 0 });

describe('Get Status', () => {
	// README, Operations: Get Status
	it('puts out the record of the API, with cost as a number, paired to its item', async () => {
		const { json: sent } = await sendTo([CUSTOMER, NEVER_READ]);
		const { items, hints } = await look({ messageId: '={{ $json.message_id }}' }, sent);
		expect(hints).toEqual(['2 messages looked up: 1 read, 1 delivered.']);
		expect(items).toMatchObject([
			{
				json: { status: 'read', cost: 0.115, read_at: expect.any(String) },
				pairedItem: { item: 0 },
			},
			{ json: { status: 'delivered', read_at: null }, pairedItem: { item: 1 } },
		]);
		expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it('says of an unknown message what to do', async () => {
		const { error } = await look({ messageId: 'no-such-message' });
		expect(error?.message).toBe('The API knows no message with this ID [item 0]');
		expect(error?.description).toContain('"message_id"');
	});

	it.each([
		['={{ " m1\\n" }}', 'm1'],
		['={{ 4711 }}', '4711'],
		['wamid.a==', 'wamid.a%3D%3D'],
	])('asks for the message ID %s by the path %s', async (messageId, path) => {
		await look({ messageId });
		expect(api().calls.map((call) => call.path.split('/').at(-1))).toEqual([path]);
	});

	it.each([['={{ "" }}'], ['={{ null }}'], ['={{ true }}'], ['={{ { id: 1 } }}']])(
		'says where the message ID comes from when it is %s',
		async (messageId) => {
			const { error } = await look({ messageId });
			expect(error?.message).toBe('Message ID is empty [item 0]');
			expect(error?.description).toMatch(/^Map "message_id" from the output of Send Template\./);
			expect(api().calls).toEqual([]);
		},
	);

	it.each([
		['a/b'],
		['../send'],
		['https://example.com'],
		['a b'],
		['.'],
		['..'],
		['a#b'],
		['a?b'],
	])('refuses %s as message ID before any request', async (messageId) => {
		const { error } = await look({ messageId });
		expect(error?.message).toBe(`Message ID "${messageId}" is not the ID of a message [item 0]`);
		expect(error?.description).toMatch(/^Use the ID alone, without spaces, slashes/);
		expect(api().calls).toEqual([]);
	});

	it.each([
		['m1\\ud83c', 'Message ID has half a character in it, as when an emoji is cut in two'],
		['[object Object]', 'Message ID has [object Object] in its text'],
	])('refuses %s as message ID and looks up the others', async (wrong, message) => {
		const { json: sent } = await sendTo([CUSTOMER, CUSTOMER]);
		const messageId = `={{ $itemIndex === 0 ? "${wrong}" : $json.message_id }}`;
		const { json } = await look({ messageId }, sent, { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([
			{ error: { message, remedy: expect.any(String), outcome: null } },
			{ status: 'read' },
		]);
		const stopped = await look({ messageId }, sent);
		expect(stopped.error?.message).toBe(`${message} [item 0]`);
		expect(stopped.error?.description).toMatch(/Nothing was looked up\.$/);
	});

	// README, Send to a spreadsheet: the outcome of a look-up is null
	it('says nothing of what became of a message that it could not look up', async () => {
		const { json, hints } = await look({ messageId: 'no-such-message' }, [{}, {}], {
			onError: 'continueRegularOutput',
		});
		expect(json).toMatchObject(Array(2).fill({ error: { outcome: null, httpStatus: 404 } }));
		expect(hints).toEqual(['2 failed: 2 × The API knows no message with this ID.']);
	});

	it('names the option that is neither on nor off', async () => {
		const { error } = await look({ messageId: 'm1', options: { rawResponse: '={{ $json.no }}' } });
		expect(error?.message).toBe('Raw Response is "undefined" [item 0]');
	});

	it('puts out the envelope on request', async () => {
		const { json: sent } = await sendTo([CUSTOMER]);
		const messageId = '={{ $json.message_id }}';
		const { json } = await look({ messageId, options: { rawResponse: true } }, sent);
		expect(json).toMatchObject([{ success: true, data: { status: 'read' }, httpStatus: 200 }]);
	});

	it('tries a look-up again after an error of the API, which a send would not be', async () => {
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.error500Empty : MISBEHAVIORS.sent,
		);
		const { json } = await runNode({
			baseUrl: server.url,
			parameters: { operation: 'getStatus', messageId: 'm1' },
		});
		await server.close();
		expect(json).toEqual([{ message_id: 'm1', status: 'sent' }]);
		expect(server.received).toHaveLength(2);
	});
});
