import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

jest.mock('../../../nodes/BusinessMessaging/events/duplicates/claimItems', () => ({
	claimItems: async (_: unknown, items: INodeExecutionData[]) =>
		await Promise.resolve(items.slice(1)),
}));

const received = ['message.read', 'message.sent'].map((event) => ({ json: { event } }));
const [read, sent] = received;

/** Parameters that are not given are those of a workflow that was saved before they came. */
async function execute(parameters: Record<string, unknown>) {
	const context = {
		getNode: () => ({ name: 'Trigger' }),
		getInputData: () => received,
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as IExecuteFunctions;
	return await new BusinessMessagingTrigger().execute.call(context);
}

const all = { deduplicate: false };

it.each<[string, Record<string, unknown>, object[][]]>([
	['through one output, without what came before', {}, [[sent]]],
	['without what came before when asked to', { options: { deduplicate: true } }, [[sent]]],
	['with what came before when asked to', { options: all }, [received]],
	[
		'through the outputs of their events when asked to',
		{ options: all, outputMode: 'perEvent', events: ['message.sent', '*'] },
		[[sent], [read]],
	],
	[
		'through one output when none is chosen',
		{ options: all, outputMode: 'perEvent', events: [] },
		[received],
	],
	[
		'through one output in a mode that does not exist',
		{ options: all, outputMode: 'x', events: ['message.sent', '*'] },
		[received],
	],
])('what the webhook received leaves %s', async (_, parameters, outputs) => {
	expect(await execute(parameters)).toEqual(outputs);
});

it.each<[Record<string, unknown>, string]>([
	[{ options: { deduplicate: 'no' } }, 'Drop Repeated Events is "no"'],
	[{ options: all, outputMode: 'perEvent', events: 'message.read' }, 'Events is "message.read"'],
])('a run with %j ends with what is wrong', async (parameters, message) => {
	await expect(execute(parameters)).rejects.toMatchObject({
		message,
		description: expect.stringContaining('let the expression give'),
	});
});
