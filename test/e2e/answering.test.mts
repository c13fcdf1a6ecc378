import { randomUUID } from 'node:crypto';
import { eventually } from '../../playground/eventually.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { ACTION, CREDENTIAL, TRIGGER } from '../../playground/n8n/typeNames.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { postJson } from '../support/postJson.mts';

const HOUR_MS = 3_600_000;
/** Without a plus sign, as some networks write it. */
const SINGAPOREAN = '6591234567';

const file = accountOfFile('Answering');

// docs/sending.md: Answer within the service window
// docs/outputs.md: a timestamp without an offset
test.each([
	['America/New_York', 1, 'service'],
	['Asia/Kolkata', 20, 'service'],
	['Asia/Kolkata', 25, 'marketing'],
])(
	'a workflow in %s answers a message of %d hours ago, whose time has no offset, as %s',
	async (timezone, hours, category) => {
		const { n8n, api, credential } = file;
		await api.customerWrites(`+${SINGAPOREAN}`, 'Hello');
		const webhookId = randomUUID();
		const answering = chain(`Answering ${webhookId}`, {
			Trigger: {
				type: TRIGGER,
				typeVersion: 2,
				webhookId,
				parameters: { events: ['message.incoming'], authentication: 'none' },
			},
			Answer: {
				type: ACTION,
				credentials: { [CREDENTIAL]: credential },
				parameters: {
					resource: 'message',
					operation: 'sendTemplate',
					templateName: 'order_update',
					to: '={{ $json.phone }}',
					variablesInput: 'none',
					category: 'auto',
					customerLastMessageAt: '={{ $json.timestamp }}',
					fallbackCategory: 'marketing',
				},
			},
		});
		const settings = { ...answering.settings, timezone };
		const { address } = await publish(n8n, { ...answering, settings });
		const sent = api.calls.length;
		const timestamp = new Date(Date.now() - hours * HOUR_MS).toISOString().replace(/\..*/, '');
		const data = { from: SINGAPOREAN };
		await postJson(address, { event: 'message.incoming', timestamp, data });
		await eventually('the answer', () => api.calls.length > sent);
		expect(api.calls.at(-1)?.body).toMatchObject({ to: `+${SINGAPOREAN}`, category });
	},
);
