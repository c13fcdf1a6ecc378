import type { INodeParameters } from 'n8n-workflow';

import { localAccount } from '../support/localAccount.ts';

const { api, bodies, send } = localAccount();

// README, Top: spending limit
describe('the spending limit', () => {
	it('keeps everything from being sent when the estimate exceeds it', async () => {
		const items = [{ to: '+14155552671' }, { to: '+14155552672' }];
		const { error } = await send({ options: { spendingLimit: 0.2 } }, items);
		expect(error?.message).toContain('about INR 0.23, more than the spending limit of INR 0.20');
		expect(error?.description).toMatch(/^Nothing was sent\. Send fewer items at once, or raise/);
		expect(api().calls).toEqual([]);
	});

	it('counts the fallback category for items whose turn comes after the service window', async () => {
		const minutesLeft = 1.75;
		const parameters = {
			category: 'auto',
			customerLastMessageAt: new Date(Date.now() - (24 * 60 - minutesLeft) * 60_000).toISOString(),
			fallbackCategory: 'marketing',
		};
		const items = Array.from({ length: 6 }, () => ({ to: '+14155552671' }));
		const run = async (requestsPerMinute: number) =>
			await send({ ...parameters, options: { spendingLimit: 0, requestsPerMinute } }, items);
		const { error } = await run(2);
		expect(error?.message).toContain('would cost about INR 1.7262, more than');
		await api().customerWrites('+14155552671', 'Hello');
		expect((await run(0)).error).toBeUndefined();
	});

	it('does not count what is only tried in a dry run', async () => {
		const items = [
			{ to: '+14155552671', test: true },
			{ to: '+14155552672', test: false },
		];
		const options = { dryRun: '={{ $json.test }}', spendingLimit: 0.12 };
		const { json, hints } = await send({ options }, items);
		expect(json).toMatchObject([{ dryRun: true }, { status: 'sent' }]);
		expect(hints).toEqual([
			'Dry run: 1 message would cost about INR 0.115. 1 message sent, cost INR 0.115.',
		]);
	});

	it('is not taken for missing when an expression gives none', async () => {
		const { error } = await send({ options: { spendingLimit: '={{ $json.limit }}' } });
		expect(error?.message).toBe('Spending Limit is "undefined"');
		expect(api().calls).toEqual([]);
	});

	// SECURITY, Known limits: Spending Limit holds for one run of one node
	it('lets a run through that costs exactly as much, and another after it', async () => {
		for (const calls of [1, 2]) {
			const { error } = await send({ options: { spendingLimit: 0.115 } });
			expect(error).toBeUndefined();
			expect(api().calls).toHaveLength(calls);
		}
	});
});

// README, Send to a spreadsheet: the dry run checks, and shows texts and prices
it('shows in a dry run what would be sent, its text and its price, without sending', async () => {
	const { json, hints } = await send({
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}!',
		variable1: 'Asha',
		category: 'marketing',
		options: { dryRun: true },
	});
	expect(json).toMatchObject([
		{
			dryRun: true,
			to: '+14155552671',
			preview: 'Hi Asha!',
			estimatedCost: { amount: 0.8631, currency: 'INR' },
			request: { templateVariables: { 1: 'Asha' }, category: 'marketing' },
		},
	]);
	expect(hints).toEqual(['Dry run: nothing was sent. 1 message would cost about INR 0.8631.']);
	expect(api().calls).toEqual([]);
});

it.each<[string, INodeParameters]>([
	['alone', { templateText: 'Hi {1}!' }],
	['beside one with two braces', { templateText: 'Hi {{1}}, order {1}', variable1: 'Asha' }],
	['with Variables set to None', { templateText: 'Hi {1}!', variablesInput: 'none' }],
	['in a dry run', { templateText: 'Hi {1}!', options: { dryRun: true } }],
])('a number in single braces, %s, is told above the output', async (_, parameters) => {
	const { error, hints } = await send({ variablesInput: 'templateText', ...parameters });
	expect(error).toBeUndefined();
	expect(hints).toEqual([
		expect.stringContaining(
			' The template text has {1}, which is not a placeholder: write {{1}} if it is meant as one.',
		),
	]);
});

describe('line breaks, tabs and many spaces in a value', () => {
	const parameters = {
		variablesInput: 'templateText',
		templateText: 'To {{1}}',
		variable1: '={{ $json.address }}',
	};
	const items = [
		{ to: '+14155552671', address: 'Main Street 1\nBoston' },
		{ to: '+14155552672', address: 'Boston' },
	];

	it('become one space, which is counted', async () => {
		const { json, hints } = await send(parameters, items);
		expect(json).toMatchObject([{ preview: 'To Main Street 1 Boston' }, { preview: 'To Boston' }]);
		expect(bodies()).toMatchObject([
			{ templateVariables: { 1: 'Main Street 1 Boston' } },
			{ templateVariables: { 1: 'Boston' } },
		]);
		expect(hints).toEqual([expect.stringContaining('replaced by one space in 1 message.')]);
	});

	it('are kept on request, and refused by the network', async () => {
		const { error } = await send({ ...parameters, options: { keepWhitespace: true } }, items);
		expect(error?.message).toContain('refused the request as invalid');
		expect(error?.description).toContain('variable 1 has a line break');
		expect(bodies()).toContainEqual(
			expect.objectContaining({ templateVariables: { 1: 'Main Street 1\nBoston' } }),
		);
	});
});

it('sends nothing when an expression gives something else than on or off for Dry Run', async () => {
	const { json } = await send({ options: { dryRun: '={{ "true" }}' } });
	expect(json).toMatchObject([{ dryRun: true }]);
	const { error } = await send({ options: { dryRun: '={{ $json.test }}' } });
	expect(error?.message).toBe('Dry Run is "undefined" [item 0]');
	expect(api().calls).toEqual([]);
});

it('with a wrong option in the first item sends the others with "continue on error"', async () => {
	const options = { defaultCountry: '={{ $json.country }}', spendingLimit: 1 };
	const items = [
		{ to: '+14155552671', country: 'Atlantis' },
		{ to: '+14155552672', country: 'US' },
	];
	const { json } = await send({ options }, items, { onError: 'continueRegularOutput' });
	expect(json).toMatchObject([{ error: { outcome: 'notSent' } }, { to: '+14155552672' }]);
});
