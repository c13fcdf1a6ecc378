import type { IDataObject, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { withFormerNames, renameParameters } from '../../nodes/BusinessMessaging/renamed';
import { madeUpNode, runWorkflow } from '../support/engine.mts';
import { localAccount } from '../support/localAccount.mts';
import { API_KEY, SEND } from '../support/runNode.mts';
import { shownParameters } from '../support/shownParameters.mts';

const { api, send } = localAccount();
const sent = () => api().messages.size;

const UPDATE = 'update the package under Settings → Community nodes';

describe('what a newer version of the package has saved', () => {
	it('stops at a node version that this one lacks, or leaves no item that looks sent', async () => {
		const message = 'This node has version 2, but this package knows none above 1';
		const { error } = await send({}, undefined, { typeVersion: 2 });
		expect(error?.message).toBe(message);
		expect(error?.description).toContain(UPDATE);
		expect(error?.description).toContain('by an assistant, set its typeVersion to 1');
		const { json } = await send({}, undefined, {
			typeVersion: 2,
			onError: 'continueRegularOutput',
		});
		expect(json).toMatchObject([{ error: { message, outcome: 'notSent', code: 'wrongInput' } }]);
		expect(sent()).toBe(0);
	});

	it('sends nothing if it is to be held back in a way that this version does not know', async () => {
		const { error } = await send({ holdBack: ['weekdays'] });
		expect(error?.message).toContain('Hold Back has "["weekdays"]", which this version');
		expect(error?.description).toContain(UPDATE);
		expect(sent()).toBe(0);
		await send({ holdBack: [] });
		expect(sent()).toBe(1);
	});

	it.each([
		['trigger', 'notSent', /^Install that version/],
		['retry', 'unknown', /^Before this Retry, it may have been sent\. Install that version/],
	] as const)('is not read from a context of another layout: %s', async (mode, outcome, remedy) => {
		const stored: IDataObject = { layout: 2, sentMessages: { runs: [{ 0: 'm1' }] }, ledger: 'x' };
		const before = JSON.stringify(stored);
		/** In place of what n8n has stored with an execution that waits, or is retried. */
		const start = madeUpNode(async function () {
			const { runExecutionData } = this as unknown as {
				runExecutionData: { executionData: { contextData: IDataObject } };
			};
			runExecutionData.executionData.contextData['node:Send'] = stored;
			return await Promise.resolve([[{ json: {} }]]);
		});
		const { output } = await runWorkflow({
			mode,
			nodes: [
				{ name: 'Start', type: 'start' },
				{
					name: 'Send',
					type: 'businessMessaging',
					onError: 'continueRegularOutput',
					parameters: { ...SEND, to: '+14155552671' },
				},
			],
			connections: { Start: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
			nodeTypes: { start, businessMessaging: new BusinessMessaging() },
			credentials: [
				{ type: new BusinessMessagingApi(), data: { baseUrl: api().url, apiKey: API_KEY } },
			],
		});
		const message = expect.stringMatching(
			/^What this execution has sent was saved by another version/,
		);
		const error = { message, remedy: expect.stringMatching(remedy), code: 'otherVersion', outcome };
		expect(output('Send').map(({ json }) => json)).toMatchObject([{ error }]);
		expect(sent()).toBe(0);
		// For the version that can read it.
		expect(JSON.stringify(stored)).toBe(before);
	});
});

/** As later versions of the package may be: with an option that holds messages back, and with new names. */
describe('a made-up later version', () => {
	const [weekdays, days]: INodeProperties[] = [
		{
			displayName: 'Hold Back',
			name: 'holdBack',
			type: 'multiOptions',
			options: [{ name: 'Send on Weekdays', value: 'weekdays' }],
			default: [],
		},
		{
			displayName: 'Days',
			name: 'days',
			type: 'string',
			default: '',
			displayOptions: { show: { holdBack: ['weekdays'] } },
		},
	];
	const now = new BusinessMessaging();
	const later = {
		description: {
			...now.description,
			properties: now.description.properties.flatMap((field) =>
				field.name === 'holdBack' ? [weekdays, days] : [field],
			),
		},
	} as INodeType;

	it('can hold back what a stored node sends, and this version refuses the node then', async () => {
		const parameters = { ...SEND, holdBack: ['weekdays'], days: 'Mon' };
		expect(shownParameters(later, SEND)).toMatchObject({ holdBack: [] });
		expect(shownParameters(later, parameters)).toMatchObject(parameters);
		const seen = shownParameters(now, parameters);
		expect(seen).toHaveProperty('holdBack', ['weekdays']);
		// As n8n does with all that is new.
		expect(seen).not.toHaveProperty('days');
	});

	const RENAMED = {
		templateName: 'template',
		'options.spendingLimit': 'options.budget',
		'category=utility': 'category=service',
	};
	const isRenamed = (path: string) => Object.keys(RENAMED).includes(path);
	const properties = now.description.properties.map((field): INodeProperties => {
		if (isRenamed(field.name)) return { ...field, name: 'template' };
		if (field.type !== 'collection' || field.name !== 'options') return field;
		const options = (field.options as INodeProperties[]).map((option) =>
			isRenamed(`options.${option.name}`) ? { ...option, name: 'budget' } : option,
		);
		return { ...field, options };
	});
	const renamed = withFormerNames(properties, RENAMED);
	const renaming = { description: { ...now.description, properties: renamed } } as INodeType;

	it('adds one hidden field for each field that has a former name', () => {
		const names = new Set(properties.map(({ name }) => name));
		const hidden = renamed.filter(({ name }) => !names.has(name));
		expect(hidden).toMatchObject([{ name: 'templateName', type: 'hidden' }]);
	});

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
	])('reads former names and values, which %s', (_, stored, read) => {
		const parameters = shownParameters(renaming, { operation: 'sendTemplate', ...stored });
		renameParameters({ parameters }, RENAMED);
		expect(parameters).toMatchObject(read);
		expect(parameters.templateName).toBeUndefined();
		expect(parameters.options).not.toHaveProperty('spendingLimit');
	});

	it('leaves what it can not put in its place', () => {
		const parameters = { options: '={{ $json }}', templateName: 'old' };
		renameParameters({ parameters }, { ...RENAMED, templateName: 'options.template' });
		expect(parameters).toEqual({ options: '={{ $json }}', templateName: 'old' });
	});
});
