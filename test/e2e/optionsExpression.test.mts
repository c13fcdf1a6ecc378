import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { actionWorkflow, sendingEach } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';
import { triggerWorkflow } from '../support/triggerWorkflow.mts';

const NODE = 'Business Messaging';
const IGNORED = 'n8n ignores one expression, text or list in place of all options';

const file = accountOfFile('Options');

// docs/sending.md: one expression in place of all options
test.each<[object]>([
	[{ options: '={{ { testRecipient: "+12025550199" } }}' }],
	[{ options: [{ testRecipient: '+12025550199' }] }],
	[{ options: { sendUntil: { time: '={{ { end: "minutes", minutes: 1 } }}' } } }],
])('nothing is sent with %j, of which n8n passes nothing on', async (given) => {
	const { n8n, credential, api } = file;
	const parameters = { ...given, variablesInput: 'none' };
	const settings = { onError: 'continueRegularOutput' as const };
	const items = [{ to: CUSTOMER }, { to: CUSTOMER }];
	const kept = await runOnce(n8n, sendingEach(credential, items, parameters, settings));
	const message = expect.stringContaining(IGNORED);
	const error = expect.objectContaining({ message, outcome: 'notSent' });
	expect(outputOf(kept, NODE)).toEqual([{ error }, { error }]);
	expect(api.calls).toEqual([]);
});

test('nothing is looked up either, and no trigger listens', async () => {
	const { n8n, credential } = file;
	const options = '={{ { waitFor: "read" } }}';
	const looking = { operation: 'getStatus', messageId: 'msg_1', options };
	const looked = await runOnce(n8n, actionWorkflow(credential, looking));
	expect(looked.data.resultData.runData[NODE][0].error).toMatchObject({
		message: expect.stringContaining(IGNORED),
	});

	const parameters = { events: ['*'], authentication: 'none' as const };
	const open = triggerWorkflow(parameters);
	open.nodes[0].parameters.options = '={{ { ipAllowlist: "203.0.113.7" } }}';
	const { id } = await n8n.client.workflows.save(open);
	await expect(n8n.client.workflows.run(id, 'Trigger')).rejects.toThrow(IGNORED);
});
