import type { INodeParameters } from 'n8n-workflow';

import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { localAccount } from '../support/localAccount.ts';
import { runNode, SEND } from '../support/runNode.ts';

const { api, bodies, send } = localAccount();

// README, Operations: variables from fields, a list or JSON
describe('the request', () => {
	it.each<[string, INodeParameters, object]>([
		['no variables', { variablesInput: 'none' }, {}],
		[
			'variables from pasted text',
			{
				variablesInput: 'templateText',
				templateText: 'Hi {{1}}, your order {{2}} is on its way.',
				variable1: 'Asha',
				variable2: '={{ "A-" + 17 }}',
			},
			{ templateVariables: { 1: 'Asha', 2: 'A-17' } },
		],
		[
			'variables from a list',
			{ variablesInput: 'list', variableList: { variables: [{ value: 'Asha' }] } },
			{ templateVariables: { 1: 'Asha' } },
		],
		[
			'variables from JSON',
			{ variablesInput: 'json', variablesJson: '["Asha", 17]' },
			{ templateVariables: { 1: 'Asha', 2: '17' } },
		],
	])('with %s is what the API document says', async (_, parameters, expected) => {
		const { error } = await send(parameters);
		expect(error).toBeUndefined();
		expect(bodies()).toEqual([
			{
				to: '+14155552671',
				type: 'template',
				templateName: 'order_update',
				category: 'utility',
				...expected,
			},
		]);
		expect(api().calls.flatMap(({ violations }) => violations)).toEqual([]);
	});

	it.each(['/api', '/api/v1', '/api/v2/'])(
		'gets there with a Base URL that ends with %s',
		async (path) => {
			const to = '+14155552671';
			const { error } = await runNode({
				baseUrl: api().url + path,
				parameters: SEND,
				items: [{ to }],
			});
			expect(error).toBeUndefined();
			expect(bodies()).toMatchObject([{ to }]);
		},
	);

	it('takes a number cell of a spreadsheet as recipient', async () => {
		await send({}, [{ to: 919876543210 }]);
		expect(bodies()).toMatchObject([{ to: '+919876543210' }]);
	});
});

// README, Operations: the category by the service window
describe('category Auto', () => {
	const HOUR_MS = 60 * 60 * 1000;

	it.each([
		['service within 24 hours', 23, 'service'],
		['the fallback category after them', 25, 'marketing'],
	])('sends as %s', async (_, hoursAgo, expected) => {
		await api().customerWrites('+14155552671', 'Hello');
		await send({
			category: 'auto',
			customerLastMessageAt: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
			fallbackCategory: 'marketing',
		});
		expect(bodies()).toMatchObject([{ category: expected }]);
	});
});

describe('the output', () => {
	it('has one item per input item, paired, with the fields of the API and the preview', async () => {
		const text = { variablesInput: 'templateText', templateText: 'Hi {{1}}!' };
		const { items } = await send({ ...text, variable1: '={{ $json.name }}' }, [
			{ to: '+14155552671', name: 'Asha' },
			{ to: '+14155552672', name: 'Ravi' },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{
				message_id: expect.any(String),
				to: '+14155552671',
				status: 'sent',
				template_name: 'order_update',
				category: 'utility',
				cost: { amount: 0.115, currency: 'INR', pricing_category: 'utility' },
				sent_at: expect.any(String),
				preview: 'Hi Asha!',
			},
			{ to: '+14155552672', preview: 'Hi Ravi!' },
		]);
	});

	it('is the envelope with status and rate limit on request', async () => {
		const { json } = await send({ options: { rawResponse: true } });
		expect(json).toMatchObject([
			{ success: true, data: { status: 'sent' }, httpStatus: 200, rateLimitRemaining: '59' },
		]);
	});

	// README, Send to a spreadsheet: error.messageId
	it('has the ID of a message that failed at once, which is not counted as sent', async () => {
		const server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.sentAndFailed : MISBEHAVIORS.neverAnswers,
		);
		const { json, hints } = await runNode({
			baseUrl: server.url,
			parameters: { ...SEND, options: { timeout: 1, concurrency: 1 } },
			items: [{ to: '+14155552671' }, { to: '+14155552672' }],
			settings: { onError: 'continueRegularOutput' },
		});
		await server.close();
		expect(json).toMatchObject([
			{ error: { outcome: 'rejected', messageId: 'm1' } },
			{ error: { outcome: 'unknown' } },
		]);
		expect(hints).toEqual([
			'1 may have been sent: 1 × The API did not answer in time. 1 failed: 1 × The message could not be delivered.',
		]);
	});

	it('comes with a hint that tells what was sent and what it cost', async () => {
		const { hints } = await send({}, [{ to: '+14155552671' }, { to: '+14155552672' }]);
		expect(hints).toEqual(['2 messages sent, cost INR 0.23.']);
	});
});
