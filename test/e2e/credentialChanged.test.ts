import { saveAccount } from '../../playground/n8n/account.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { sendingEach } from '../support/actionWorkflow.ts';
import { MISBEHAVIORS, startFaultServer } from '../support/faultServer.ts';
import { runOnce } from '../support/manualRun.ts';
import { n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.ts';

const RECIPIENTS = ['+12025550110', '+12025550111', '+12025550112'];

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

test.each([
	['deleted', async (id: string) => await n8n.client.credentials.remove(id)],
	[
		'given another address',
		async (_: string, name: string) => {
			await saveAccount(n8n, name, { baseUrl: 'https://other.example.com' });
		},
	],
])(
	'a credential that is %s in mid-run: what was not requested was not sent',
	async (how, change) => {
		const name = `Changed in mid-run: ${how}`;
		const server = await startFaultServer((number) => (socket) => {
			const changed = number === 0 ? change(credential.id, name) : Promise.resolve();
			void changed.then(() => MISBEHAVIORS.sent(socket));
		});
		const credential = await saveAccount(n8n, name, { baseUrl: server.url });
		const recipients = RECIPIENTS.map((to) => ({ to }));
		const settings = { onError: 'continueRegularOutput' as const };
		const execution = await runOnce(n8n, sendingEach(credential, recipients, {}, settings));
		await server.close();

		expect(server.received).toHaveLength(1);
		const [sent, ...rest] = outputOf(execution, 'Business Messaging');
		expect(sent).toMatchObject({ message_id: 'm1' });
		const notSent = {
			message: expect.stringContaining('The credential could not be used'),
			remedy: expect.stringContaining('run the failed items again'),
			outcome: 'notSent',
			retryable: false,
		};
		expect(rest.map(({ error }) => error)).toEqual([
			expect.objectContaining(notSent),
			expect.objectContaining(notSent),
		]);
	},
);
