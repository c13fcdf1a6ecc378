import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { withFormerNames, renameParameters } from '../../nodes/BusinessMessaging/renamed';
import { localAccount } from '../support/localAccount.mts';
import { CONTINUE } from '../support/runNode.mts';
import { shownParameters } from '../support/shownParameters.mts';

const { api, send } = localAccount();
const sent = () => api().messages.size;

const UPDATE = /update the package under Settings → Community nodes/;

describe('what a newer version of the package has saved', () => {
	it.each<[string, RegExp, string, INodeParameters, object]>([
		[
			'This node has version 2, but this package knows none above 1',
			/by an assistant, set its typeVersion to 1/,
			'wrongInput',
			{},
			{ typeVersion: 2 },
		],
		[
			'Hold Back has "["weekdays"]", which this',
			UPDATE,
			'wrongOption',
			{ holdBack: ['weekdays'] },
			{},
		],
	])('sends nothing, and leaves no item that looks sent: %s', async (...row) => {
		const [text, remedy, code, parameters, settings] = row;
		const { error } = await send(parameters, undefined, settings);
		expect(error?.message).toContain(text);
		expect(error?.description).toMatch(UPDATE);
		expect(error?.description).toMatch(remedy);
		const { json } = await send(parameters, undefined, { ...settings, ...CONTINUE });
		const message = expect.stringContaining(text);
		expect(json).toMatchObject([{ error: { message, outcome: 'notSent', code } }]);
		expect(sent()).toBe(0);
	});

	it.each([
		['trigger', 'notSent', /^Install that version/],
		['retry', 'unknown', /^Before this Retry, it may have been sent\. Install that version/],
	] as const)('is not read from a context of another layout: %s', async (mode, outcome, advice) => {
		const context = { layout: 2, sentMessages: { runs: [{ 0: 'm1' }] }, ledger: 'x' };
		const before = JSON.stringify(context);
		const { json } = await send({}, undefined, CONTINUE, { mode, context });
		const message = expect.stringMatching(/^What this execution has sent was saved by another ver/);
		const remedy = expect.stringMatching(advice);
		expect(json).toMatchObject([{ error: { message, remedy, code: 'otherVersion', outcome } }]);
		expect(sent()).toBe(0);
		// For the version that can read it.
		expect(JSON.stringify(context)).toBe(before);
	});
});

/** As in later versions of the package. */
describe('what has a new name', () => {
	const RENAMED = {
		templateName: 'template',
		'options.spendingLimit': 'options.budget',
		'category=utility': 'category=service',
	};
	const { description } = new BusinessMessaging();
	const rename = (fields: INodeProperties[], former: string, name: string) =>
		fields.map((field) => (field.name === former ? { ...field, name } : field));
	const properties = rename(description.properties, 'templateName', 'template').map((field) =>
		field.type === 'collection' && field.name === 'options'
			? { ...field, options: rename(field.options as INodeProperties[], 'spendingLimit', 'budget') }
			: field,
	);

	it.each<[string, INodeParameters, INodeParameters]>([
		[
			'have their new names',
			{ templateName: 'old', category: 'utility', options: { spendingLimit: 5 } },
			{ template: 'old', category: 'service', options: { budget: 5 } },
		],
		[
			'give way to what the editor shows',
			{ templateName: 'old', template: 'new', options: { spendingLimit: 5, budget: 0 } },
			{ template: 'new', options: { budget: 0 } },
		],
		['need not be there', { category: 'marketing' }, { template: '', category: 'marketing' }],
	])('is read by its former name and value, which %s', (_, stored, read) => {
		const renamed = { ...description, properties: withFormerNames(properties, RENAMED) };
		const node = { description: renamed } as INodeType;
		const parameters = shownParameters(node, { operation: 'sendTemplate', ...stored });
		renameParameters({ parameters }, RENAMED);
		expect(parameters).toMatchObject(read);
		expect(parameters.templateName).toBeUndefined();
		expect(parameters.options).not.toHaveProperty('spendingLimit');
	});

	it('stays where it can not be put in its place', () => {
		const parameters = { options: '={{ $json }}', templateName: 'old' };
		renameParameters({ parameters }, { ...RENAMED, templateName: 'options.template' });
		expect(parameters).toEqual({ options: '={{ $json }}', templateName: 'old' });
	});
});
