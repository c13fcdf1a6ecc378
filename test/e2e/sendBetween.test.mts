import { outputOf } from '../../playground/n8n/rest/executions.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { runOnce } from '../support/manualRun.mts';

const NODE = 'Business Messaging';
const HOUR_MS = 3_600_000;
const [WASHINGTON, HONOLULU] = ['+12025550110', '+18085550110'];

const file = accountOfFile('Between');

// docs/sending.md: the area code of a number with +1
test('a message goes out by the clock of its area code, and the notice says in which zone another one waits', async () => {
	const { n8n, api, credential } = file;
	const inWashington = (ms: number) =>
		new Date(Date.now() + ms).toLocaleTimeString('en-GB', {
			timeZone: 'America/New_York',
			timeStyle: 'short',
		});
	const hours = { from: inWashington(-HOUR_MS), until: inWashington(HOUR_MS) };
	const options = { requestsPerMinute: 0, sendBetween: { hours } };
	const rows = [{ to: WASHINGTON }, { to: HONOLULU }];
	const execution = await runOnce(n8n, sendingEach(credential, rows, { options }));
	expect(outputOf(execution, NODE)).toMatchObject([{ to: WASHINGTON, status: 'sent' }]);
	expect(outputOf(execution, NODE, 1)).toMatchObject([
		{ to: HONOLULU, skipped: 'quietHours', sendAfter: expect.stringMatching(/^\d{4}-.*Z$/) },
	]);
	expect(api.calls).toHaveLength(1);
	const [{ hints }] = execution.data.resultData.runData[NODE] as Array<{ hints?: object[] }>;
	expect(hints).toMatchObject([
		{
			message: expect.stringMatching(
				/1 skipped: outside the hours of Send Between, until \w{3} \d+ \w{3} \d{4}, \d\d:\d\d [\w/]+\.$/,
			),
		},
	]);
});
