import { CUSTOMER } from '../../playground/api/wellKnown.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
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

test('no trigger listens', async () => {
	const workflow = triggerWorkflow({ events: ['*'], authentication: 'none' });
	workflow.nodes[0].parameters.options = '={{ { ipAllowlist: "203.0.113.7" } }}';
	const { id } = await file.n8n.client.workflows.save(workflow);
	await expect(file.n8n.client.workflows.run(id, 'Trigger')).rejects.toThrow(IGNORED);
});
