import type { INodeParameters } from 'n8n-workflow';

import { FAILS, NEVER_READ, STAYS_SENT } from '../../playground/api/wellKnown.mts';
import { MISBEHAVIORS, answer } from '../support/faultServer.mts';
import { localAccount } from '../support/localAccount.mts';
import { CONTINUE, RETRY, SEND, runNode } from '../support/runNode.mts';

jest.mock('../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../support/fastClock.mts'),
);

const CUSTOMER = '+14155552671';
const GET_STATUS = { operation: 'getStatus', messageId: 'm1' };
const { api, sendTo, look } = localAccount({ deliveredAfterMs: 0, readAfterMs: 0 });

describe('Get Status', () => {
	// README, What it does: Get Status
	it('puts out the record of the API, with cost as a number, paired to its item', async () => {
		const { json: sent } = await sendTo([CUSTOMER, NEVER_READ]);
		const { items, hints } = await look({ messageId: '={{ $json.message_id }}' }, sent);
		expect(hints).toEqual(['2 messages looked up: 1 read, 1 delivered.']);
		const read = { status: 'read', cost: 0.115, read_at: expect.any(String) };
		expect(items).toMatchObject([
			{ json: read, pairedItem: { item: 0 } },
			{ json: { status: 'delivered', read_at: null }, pairedItem: { item: 1 } },
		]);
		expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it.each([
		['={{ " m1\\n" }}', 'm1'],
		['={{ 4711 }}', '4711'],
		['wamid.a==', 'wamid.a%3D%3D'],
		['m..', 'm..'],
		['..m', '..m'],
	])('asks for the message ID %s by the path %s', async (messageId, path) => {
		const { error } = await look({ messageId });
		expect(api().calls.map((call) => call.path.split('/').at(-1))).toEqual([path]);
		expect(error?.message).toBe('The API knows no message with this ID [item 0]');
		expect(error?.description).toContain('"message_id"');
	});

	const EMPTY = /^Map "message_id" from the output of Send Template\./;
	const ALONE = /^Use the ID alone, without spaces or a web address\./;

	it.each([
		['={{ { id: 1 } }}', 'Message ID is empty', EMPTY],
		['http://b', 'Message ID "http://b" is not the ID of a message', ALONE],
		['a b', 'Message ID "a b" is not the ID of a message', ALONE],
		['.', 'Message ID "." is not the ID of a message', ALONE],
		['..', 'Message ID ".." is not the ID of a message', ALONE],
		[
			'={{ 12345678901234567001 }}',
			'Message ID is a number with more digits than n8n keeps',
			/^Give it as text/,
		],
		[
			'={{ "m1\\ud83c" }}',
			'Message ID has half a character in it, as when an emoji is cut in two',
			/^Shorten texts by whole characters/,
		],
	])('refuses %s as message ID before any request', async (messageId, message, description) => {
		const { error } = await look({ messageId });
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(error?.description).toMatch(description);
		expect(error?.description).toMatch(/Nothing was looked up\.$/);
		expect(api().calls).toEqual([]);
	});

	// docs/sending.md: what fails stops no other
	it('looks up the others if the API does not know a message, also without "continue on error"', async () => {
		const [{ message_id: known }] = (await sendTo([CUSTOMER])).json;
		const items = [{ id: 'm-1' }, { id: known }, { id: 'm-2' }, { id: known }];
		const options = { concurrency: 1 };
		const { error } = await look({ messageId: '={{ $json.id }}', options }, items);
		expect(api().calls.filter(({ method }) => method === 'GET')).toHaveLength(4);
		expect(error?.message).toBe(
			'2 of 4 items failed, the first is item 0, row 1: The API knows no message with this ID',
		);
	});
});

// README, What it does: both can wait
describe('waiting', () => {
	const UNLIMITED = { waitFor: 'delivered', requestsPerMinute: 0 };

	it('for delivery adds what was seen, and tells above the output how many were delivered', async () => {
		const options = { ...UNLIMITED, waitTimeout: 60 };
		const { json, hints } = await sendTo([CUSTOMER, NEVER_READ, STAYS_SENT], options);
		expect(json).toMatchObject([
			{ status: 'sent', delivery: { status: 'read', timedOut: false } },
			{ status: 'sent', delivery: { status: 'delivered', timedOut: false, read_at: null } },
			{ status: 'sent', delivery: { status: 'sent', timedOut: true } },
		]);
		expect(hints).toEqual([
			'3 messages sent, 2 delivered, 1 not delivered within 60 s, cost INR 0.345.',
		]);
	});

	it.each([
		[1, 8, 4],
		[20, 3600, 25],
	])(
		'for %d messages that a key may no longer look up says so, and not that they are late',
		async (count, waitTimeout, requests) => {
			const items = Array.from({ length: count }, (_, index) => ({
				to: `+14155552${600 + index}`,
			}));
			const run = await runNode({
				behave: (_, body) => (body ? MISBEHAVIORS.sent : answer('401 Unauthorized', '{}')),
				parameters: { ...SEND, options: { waitFor: 'delivered', waitTimeout } },
				items,
			});
			const problem = 'The API key is missing or not valid';
			expect(run.json).toHaveLength(count);
			for (const item of run.json) expect(item.delivery).toMatchObject({ timedOut: true, problem });
			expect(run.hints[0]).toContain(`sent, ${count} not known to be delivered (${problem}), `);
			expect(run.received).toHaveLength(requests);
		},
	);

	// docs/sending.md: could not be delivered is `rejected`
	it('ends with an error item when the delivery fails, and the message is not sent again', async () => {
		const { json, hints } = await sendTo(
			[FAILS, CUSTOMER],
			{ waitFor: 'delivered' },
			{ ...CONTINUE, ...RETRY },
		);
		expect(json[0]).toMatchObject({ error: { outcome: 'rejected', remedy: expect.any(String) } });
		expect(json[1]).toMatchObject({ delivery: { timedOut: false } });
		expect(api().calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
		expect(hints[0]).toMatch(
			/^2 messages sent, 1 delivered, 1 failed \(The message could not .*\), cost INR 0.23\.$/,
		);
		// Get Status says the same of it.
		const messageId = '={{ $json.error.messageId }}';
		const looked = await look(
			{ messageId, options: { waitFor: 'delivered' } },
			[json[0]],
			CONTINUE,
		);
		expect(looked.json).toEqual([json[0]]);
	});

	// docs/sending.md: what fails stops no other
	it('for the others goes on when one could not be delivered, also without "continue on error"', async () => {
		const options = { ...UNLIMITED, waitTimeout: 60 };
		const lookUps: number[] = [];
		for (const settings of [CONTINUE, {}]) {
			api().calls.length = 0;
			const { error } = await sendTo([FAILS, CUSTOMER, STAYS_SENT, FAILS], options, settings);
			lookUps.push(api().calls.filter(({ method }) => method === 'GET').length);
			const told = /^2 of 4 items failed, the first is item 0, row 1: /;
			if (settings !== CONTINUE) expect(error?.message).toMatch(told);
		}
		expect(lookUps[1]).toBe(lookUps[0]);
	});

	it('goes on when a look-up fails, and puts out what was seen last, on request as an envelope', async () => {
		const answers = [MISBEHAVIORS.sent, MISBEHAVIORS.refused400, MISBEHAVIORS.read];
		const options = { waitFor: 'delivered', rawResponse: true };
		const parameters = { ...GET_STATUS, options };
		const { json } = await runNode({ behave: (number) => answers[number], parameters });
		const delivery = { status: 'read', timedOut: false };
		expect(json).toMatchObject([
			{ success: true, data: { status: 'read' }, httpStatus: 200, delivery },
		]);
	});

	it.each<[string, INodeParameters, 'sent' | 'withoutStatus']>([
		['Get Status', GET_STATUS, 'sent'],
		['Send Template, for which the API told no status', SEND, 'withoutStatus'],
	])('with %s says why there is nothing newer than "sent"', async (_, operation, first) => {
		const { json } = await runNode({
			behave: (number) => MISBEHAVIORS[number === 0 ? first : 'refused400'],
			parameters: { ...operation, options: { waitFor: 'delivered', waitTimeout: 1 } },
			items: [{ to: CUSTOMER }],
		});
		const problem = expect.stringContaining('recipient');
		const delivery = { status: 'sent', timedOut: true, problem };
		expect(json).toMatchObject([{ message_id: 'm1', delivery }]);
	});
});
