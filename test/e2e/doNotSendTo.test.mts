import { chain } from '../../playground/n8n/chain.mts';
import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { ACTION, CREDENTIAL } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Send';
const [ASHA, BEN, CLEO] = ['+12025550111', '+12025550112', '+12025550113'];

const file = accountOfFile('Lists');

// docs/sending.md: a list of all items of a node, and a time for each item
test('who is in the list of another node gets nothing, nor does whose time is over', async () => {
	const { n8n, api, credential } = file;
	const options = {
		requestsPerMinute: 0,
		doNotSendTo: "={{ $('Opt-Outs').all().map((row) => row.json.phone) }}",
		sendUntil: { time: { end: 'dateTime', dateTime: '={{ $json.until }}' } },
	};
	const workflow = chain('Lists', {
		Start: { type: 'n8n-nodes-base.manualTrigger' },
		'Opt-Outs': { type: 'n8n-nodes-base.noOp' },
		Customers: { type: 'n8n-nodes-base.noOp' },
		[NODE]: {
			type: ACTION,
			credentials: { [CREDENTIAL]: credential },
			parameters: {
				resource: 'message',
				operation: 'sendTemplate',
				to: '={{ $json.to }}',
				templateName: 'order_update',
				variablesInput: 'none',
				options,
			},
		},
	});
	const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
	const customers = [
		{ to: ASHA, until: inHours(1) },
		{ to: BEN, until: inHours(1) },
		{ to: CLEO, until: inHours(-1) },
	];
	const pinData = {
		'Opt-Outs': [{ json: { phone: '001 (202) 555-0112' } }, { json: { phone: 12025550199 } }],
		Customers: customers.map((json) => ({ json })),
	};
	const execution = await runOnce(n8n, { ...workflow, pinData });
	expect(outputOf(execution, NODE)).toMatchObject([{ to: ASHA, status: 'sent' }]);
	expect(outputOf(execution, NODE, 1)).toEqual([
		{ skipped: 'optedOut', to: BEN },
		{ skipped: 'tooLate', to: CLEO },
	]);
	expect(api.calls).toHaveLength(1);
});
