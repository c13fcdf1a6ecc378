import type { INodeParameters } from 'n8n-workflow';

import type { SendRequest } from '../../nodes/BusinessMessaging/api';
import { MISBEHAVIORS } from '../support/faultServer.mts';
import { localAccount } from '../support/localAccount.mts';
import { BY_HAND, CONTINUE, RETRY } from '../support/runNode.mts';

const { api, look, send } = localAccount();

// docs/sending.md: the dry run says how long the run will take
it.each<[string, INodeParameters, string]>([
	['the limit', {}, ' and take about 2 min at 60 a minute.'],
	['no limit', { requestsPerMinute: 0 }, '.'],
	['a wait', { waitFor: 'delivered' }, ' and take about 4 min at 27 a minute.'],
	[
		'limits that differ',
		{ requestsPerMinute: '={{ $itemIndex < 60 ? 30 : 60 }}' },
		' and take about 3 min at 40 a minute.',
	],
])('says in a dry run how long the messages take with %s', async (_, options, told) => {
	const rows = Array.from({ length: 120 }, (__, row) => ({ to: `+1415555${2000 + row}` }));
	const { hints } = await send({ options: { ...options, dryRun: true } }, rows);
	expect(hints).toEqual([
		`Dry run: nothing was sent. 120 messages would cost about INR 13.80${told} To send, turn off Dry Run under Options.`,
	]);
});

// docs/sending.md: Include Input Fields
describe('Include Input Fields', () => {
	const rows = [
		{ to: '+14155552671', row_number: 2, error: 'of the row' },
		{ to: 'call me', row_number: 3 },
	];
	const options = { includeInputFields: true };
	const onError = 'continueErrorOutput';

	it.each<[string, INodeParameters, object]>([
		['a message', {}, { status: 'sent' }],
		['a raw response', { rawResponse: true }, { success: true }],
		['a dry run', { dryRun: true }, { skipped: 'dryRun' }],
	])(
		'adds the row to %s, but not to what failed, to which n8n adds it',
		async (_, more, output) => {
			const { json, failed } = await send({ options: { ...options, ...more } }, rows, { onError });
			expect(json).toMatchObject([{ ...output, input: rows[0] }]);
			const error = expect.objectContaining({ outcome: 'notSent' });
			expect(failed.map((item) => item.json)).toEqual([{ error }]);
		},
	);

	it.each<[string, INodeParameters, object]>([
		['its price is over the limit', { spendingLimit: 0.1 }, {}],
		['an option of the run is wrong', { concurrency: 0 }, {}],
		['its credential is', {}, { credentials: {} }],
	])('adds the row to each item of a run that is refused because %s', async (_, more, settings) => {
		const given = { ...CONTINUE, ...settings };
		const { json } = await send({ options: { ...options, ...more } }, rows, given);
		const error = expect.objectContaining({ outcome: 'notSent' });
		expect(json).toEqual(rows.map((input) => ({ error, input })));
		expect(api().calls).toEqual([]);
	});

	it('adds the row to what an earlier attempt had sent, and keeps it out of the memory for retries', async () => {
		const items = ['+14155552671', '+14155552672'].map((to, row) => ({ to, row_number: row + 2 }));
		const one = { options: { ...options, concurrency: 1 } };
		const behave = (number: number) => MISBEHAVIORS[number === 1 ? 'refused400' : 'sent'];
		const { run } = await send(one, items, {}, { behave });
		const stored = JSON.stringify(run.data.executionData?.contextData);
		expect(stored).toContain('message_id');
		expect(stored).not.toContain('row_number');
		const { json, received } = await send(one, items, RETRY, { behave });
		expect(received).toHaveLength(3);
		expect(json).toMatchObject(items.map((input) => ({ status: 'sent', input })));
	});

	it('adds the row to what was looked up, but not to what passes through', async () => {
		const [{ message_id: messageId }] = (await send({})).json;
		const row = { messageId, row_number: 2 };
		const skipped = { skipped: 'optedOut' };
		const { json } = await look({ messageId: '={{ $json.messageId }}', options }, [row, skipped]);
		expect(json[0]).toMatchObject({ message_id: messageId, input: row });
		expect(json[1]).toEqual(skipped);
	});
});

// docs/sending.md: items with one number go out in their order, never in parallel
describe('items of one number', () => {
	const [FIRST, SECOND] = ['+14155552671', '+14155552672'];
	const numbers = [FIRST, FIRST, SECOND, FIRST];
	const rows = numbers.map((to, row) => ({ to, name: `Row ${row}` }));
	const parameters = {
		variablesInput: 'json',
		variablesJson: '={{ [$json.name] }}',
	};
	const LATENCY_MS = 100;

	it("are those of a test recipient, but only the customers' numbers are named above the output", async () => {
		api().settings.latencyMs = LATENCY_MS;
		const options = { testRecipient: SECOND };
		const { hints } = await send({ ...parameters, options }, rows, {}, BY_HAND);
		const { calls } = api();
		const names = calls.map(({ body }) => (body as SendRequest).templateVariables?.[1]);
		expect(names).toEqual(rows.slice(0, 3).map(({ name }) => name));
		const gaps = calls.slice(1).map(({ receivedAt }, call) => receivedAt - calls[call].receivedAt);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LATENCY_MS - 10);
		expect(hints).toEqual([
			expect.stringContaining(' 1 number appears more than once (items 0-1, 3).'),
		]);
	});
});
