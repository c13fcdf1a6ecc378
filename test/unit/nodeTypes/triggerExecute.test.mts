import type { INodeExecutionData } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { withParameters } from '../../support/parameters.mts';

jest.mock('../../../nodes/BusinessMessaging/events/duplicates', () => ({
	isOurs: async () => await Promise.resolve(false),
}));

const read = { json: { event: 'message.read' } };

/** Parameters that are not given are those of a workflow that was saved before they came. */
async function execute(
	parameters: Record<string, unknown>,
	inputs: Array<INodeExecutionData[] | null> = [[read]],
) {
	const context = withParameters(parameters, {
		getNode: () => ({ name: 'Trigger' }),
		getExecuteData: () => ({ node: {}, data: { main: inputs } }),
	});
	return await new BusinessMessagingTrigger().execute.call(context);
}

const options = { deduplicate: false };
const spread = [[], [], [], [read], [], [], [], []];

it.each<[string, Record<string, unknown>, object[][]]>([
	['not, if another execution has it', {}, [[]]],
	['all the same when asked to', { options }, [[read]]],
	['through the output of its kind', { options, outputMode: 'perEvent' }, spread],
	['through one output in another mode', { options, outputMode: 'x' }, [[read]]],
])('the event that the webhook received leaves %s', async (_, parameters, outputs) => {
	expect(await execute(parameters)).toEqual(outputs);
});

it('what webhook() has spread already is taken from all outputs', async () => {
	const parameters = { options, outputMode: 'perEvent' };
	expect(await execute(parameters, [[], [], null, [read]])).toEqual(spread);
});

it('a run with a wrong option ends with what is wrong', async () => {
	await expect(execute({ options: { deduplicate: 'no' } })).rejects.toMatchObject({
		message: 'Drop Repeated Events is "no"',
		description: expect.stringContaining('let the expression give'),
	});
});

it('a refused test event ends the run with why and what to do', async () => {
	const notAccepted = { message: 'The test event was refused: why', remedy: 'Add the token.' };
	await expect(execute({}, [[{ json: { notAccepted } }]])).rejects.toMatchObject({
		message: notAccepted.message,
		description: notAccepted.remedy,
	});
});
