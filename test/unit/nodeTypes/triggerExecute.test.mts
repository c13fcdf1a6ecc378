import type { INodeExecutionData } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { withParameters } from '../../support/parameters.mts';

jest.mock('../../../nodes/BusinessMessaging/events/duplicates', () => ({
	claimItems: async (_: unknown, items: INodeExecutionData[]) =>
		await Promise.resolve(items.slice(1)),
}));

const received = ['message.read', 'message.sent'].map((event) => ({ json: { event } }));
const [read, sent] = received;

/** Parameters that are not given are those of a workflow that was saved before they came. */
async function execute(
	parameters: Record<string, unknown>,
	inputs: Array<INodeExecutionData[] | null> = [received],
) {
	const context = withParameters(parameters, {
		getNode: () => ({ name: 'Trigger' }),
		getExecuteData: () => ({ node: {}, data: { main: inputs } }),
	});
	return await new BusinessMessagingTrigger().execute.call(context);
}

const all = { deduplicate: false };
const spread = [[], [sent], [], [read], [], [], [], []];

it.each<[string, Record<string, unknown>, object[][]]>([
	['through one output, without what came before', {}, [[sent]]],
	['with what came before when asked to', { options: all }, [received]],
	['through the outputs of their events', { options: all, outputMode: 'perEvent' }, spread],
	['through one output in another mode', { options: all, outputMode: 'x' }, [received]],
])('what the webhook received leaves %s', async (_, parameters, outputs) => {
	expect(await execute(parameters)).toEqual(outputs);
});

it('what webhook() has spread already is taken from all outputs', async () => {
	const parameters = { options: all, outputMode: 'perEvent' };
	expect(await execute(parameters, [[], [sent], null, [read]])).toEqual(spread);
});

it('a run with a wrong option ends with what is wrong', async () => {
	await expect(execute({ options: { deduplicate: 'no' } })).rejects.toMatchObject({
		message: 'Drop Repeated Events is "no"',
		description: expect.stringContaining('let the expression give'),
	});
});

it('a refused test event ends the run with why and what to do', async () => {
	const message = 'The test event was refused: the token is wrong';
	const refused = { json: { notAccepted: { message, remedy: 'Add the token.' } } };
	await expect(execute({ options: all }, [[refused]])).rejects.toMatchObject({
		message,
		description: 'Add the token.',
	});
});
