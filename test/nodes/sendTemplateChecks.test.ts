import type { INodeParameters } from 'n8n-workflow';

import { localAccount } from '../support/localAccount.ts';
import { runNode, SEND } from '../support/runNode.ts';

const { api, send } = localAccount();

const items = [{ to: '+14155552671' }, { to: 'call me' }, { to: '' }];

// README, Send to a spreadsheet: all rows are checked before the first message
describe('wrong items', () => {
	// README, Send to a spreadsheet: the error lists the wrong rows; items are numbered from 0
	it.each([{}, { options: { dryRun: true } }])(
		'keep everything from being sent, and are all named (%j)',
		async (parameters) => {
			const { error } = await send(parameters, items);
			expect(error?.message).toBe(
				'2 of 3 items are wrong, the first is item 1: The recipient "call me" is not a phone number',
			);
			expect(error?.description).toMatch(
				/^Item 1: The recipient "call me" is not a phone number\. Use .* Item 2: The recipient is empty\. .* Nothing was sent\.$/,
			);
			expect(api().calls).toEqual([]);
		},
	);

	it.each<[INodeParameters, string]>([
		[{ to: '={{ $json. }}' }, 'To'],
		[{ options: { concurrency: 2, timeout: '={{ 1 + }}' } }, 'Options → Timeout (Seconds)'],
		[{ options: { concurrency: '={{ 1 + }}' } }, 'Options → Requests in Parallel'],
		[
			{ variablesInput: 'list', variableList: { variables: [{ value: '={{ 1 + }}' }] } },
			'Variables',
		],
	])('with an expression that n8n cannot compute name its field: %j', async (parameters, field) => {
		const { error } = await send(parameters);
		expect(error?.message).toContain(
			`The expression in ${field} can't be computed: invalid syntax`,
		);
		expect(error?.description).toMatch(/^Check the expression in this field\./);
		expect(api().calls).toEqual([]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'become error items with %s, and the rest is sent',
		async (onError) => {
			const { items: regular, failed } = await send({}, items, { onError });
			const wrong = onError === 'continueErrorOutput' ? failed : regular.slice(1);
			expect(wrong).toMatchObject([
				{
					json: { error: { message: expect.stringContaining('call me'), outcome: 'notSent' } },
					pairedItem: { item: 1 },
				},
				{ json: { error: { message: 'The recipient is empty' } }, pairedItem: { item: 2 } },
			]);
			expect(regular[0].json).toMatchObject({ to: '+14155552671' });
			expect(api().calls).toHaveLength(1);
		},
	);

	it.each<[string, INodeParameters, string]>([
		['a field that is not there', { variable2: '={{ $json.missing }}' }, 'is empty'],
		[
			'an expression in a fixed field',
			{ variable2: '{{ $json.order }}' },
			'has "{{ $json.order }}"',
		],
		['a text with an object in it', { variable2: '={{ "Hi " + $json }}' }, 'has [object Object]'],
	])('are found before any request: %s', async (_, variables, problem) => {
		const { error } = await send({
			variablesInput: 'templateText',
			templateText: 'Hi {{1}}, your order {{2}} is here.',
			variable1: 'Asha',
			...variables,
		});
		expect(error?.message).toContain(`The variable {{2}} ("your order {{2}} is here.") ${problem}`);
		expect(error?.description).toBeTruthy();
		expect(api().calls).toEqual([]);
	});
});

it('an unusable credential keeps everything from being sent in every error mode', async () => {
	const run = { baseUrl: 'http://api.example.com', parameters: SEND, items: [items[0]] };
	const stopped = await runNode(run);
	expect(stopped.error?.message).toContain('starts with http://');
	const kept = await runNode({ ...run, settings: { onError: 'continueErrorOutput' } });
	expect(kept.items).toEqual([]);
	expect(kept.failed).toMatchObject([{ json: { error: { outcome: 'notSent' } } }]);
});

// README, Send to a spreadsheet: another text over old values
describe('a run by hand after another text was pasted over the values of the last one', () => {
	const TO = { to: '+14155552671' };
	const VALUES = { variable1: '={{ $json.name }}', variable2: 'A-17' };
	const OLD = { ...VALUES, templateText: 'Hi {{1}}, your order {{2}} is on its way.' };
	const NEW = { ...VALUES, templateText: 'Your code {{1}} takes {{2}} off, Hi!' };

	/** As one node of a workflow, which is known by its ID. */
	async function runByHand(settings: { id: string }, ...parameters: INodeParameters[]) {
		const errors: Array<string | undefined> = [];
		for (const each of parameters) {
			const texts = { variablesInput: 'templateText', ...each };
			const items = [{ ...TO, name: 'Asha' }];
			const { error } = await send(texts, items, settings, { mode: 'manual' });
			errors.push(error && `${error.message}: ${error.description}`);
		}
		return errors;
	}

	it('is stopped once, before it sends, and names what to check', async () => {
		const errors = await runByHand({ id: 'once' }, OLD, OLD, NEW, NEW);
		const stopped = expect.stringMatching(
			/^Template Text was changed .* but none of its values were: Nothing was sent\. Check the values of \{\{1\}\} \("Your code \{\{1\}\} takes"\), \{\{2\}\} \(/,
		);
		expect(errors).toEqual([undefined, undefined, stopped, undefined]);
		expect(api().calls).toHaveLength(3);
	});

	it.each<[string, INodeParameters, INodeParameters]>([
		['a value was changed', OLD, { ...NEW, variable2: '10 %' }],
		['a value was added', OLD, { ...NEW, templateText: '{{3}} {{1}} {{2}}', variable3: 'Hi' }],
		[
			'only words far from the placeholders changed',
			OLD,
			{ ...OLD, templateText: `${OLD.templateText} Thank you for your patience!` },
		],
		['it only checks', OLD, { ...NEW, options: { dryRun: true } }],
		['it goes to the test recipient', OLD, { ...NEW, options: { testRecipient: TO.to } }],
		['a dry run had shown it', { ...NEW, options: { dryRun: true } }, NEW],
	])('is not stopped when %s', async (reason, before, after) => {
		expect(await runByHand({ id: reason }, OLD, before, after)).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	it('stays stopped when Retry On Fail runs it again', async () => {
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const errors = await runByHand({ id: 'retry', ...retry }, OLD, NEW);
		expect(errors).toEqual([undefined, expect.stringContaining('Nothing was sent.')]);
		expect(api().calls).toHaveLength(1);
	});

	it('is stopped by hand only', async () => {
		for (const templateText of [OLD.templateText, NEW.templateText]) {
			const parameters = { ...OLD, variablesInput: 'templateText', templateText };
			const { error } = await send(parameters, [{ ...TO, name: 'Asha' }], { id: 'production' });
			expect(error).toBeUndefined();
		}
	});
});
