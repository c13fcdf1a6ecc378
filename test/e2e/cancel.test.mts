import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../playground/eventually.mts';
import { accountOfFile } from '../support/accountOfFile.mts';
import { sendingEach } from '../support/actionWorkflow.mts';
import { isN8nBefore } from '../support/n8nUnderTest.mts';

const ITEMS = 200;
const FIRST_REQUESTS = 20;
const IN_PARALLEL = 10;
const file = accountOfFile('Cancel', { latencyMs: 1000 });

// docs/good-to-know.md: a stopped run says what was sent
test('an execution that is stopped while it sends starts no request after one second, and has no output', async () => {
	// 10 requests a second: without the stop the other 40 of this minute would go in the next 4 s.
	const { n8n, api, credential } = file;
	const items = Array.from({ length: ITEMS }, (_, row) => ({ to: `+1415555${1000 + row}` }));
	const options = { requestsPerMinute: 60 };
	const { id } = await n8n.client.workflows.save(sendingEach(credential, items, { options }));
	const { executionId } = await n8n.client.workflows.run(id, 'Start');
	await eventually('the first requests', () => api.calls.length >= FIRST_REQUESTS);
	await n8n.client.executions.stop(executionId);
	await sleep(1000);
	const started = api.calls.length;
	expect(started).toBeLessThan(60);
	await sleep(4000);
	expect(api.calls.length).toBe(started);
	const [{ status, data, customData }] = await n8n.client.executions.list(id);
	expect(status).toBe('canceled');
	// docs/good-to-know.md: a stopped run has no output and no line above it, but says what was sent
	expect(data.resultData.runData).not.toHaveProperty('Business Messaging');
	// n8n 1.x and 2.0 keep nothing of it: there only the log says it.
	if (isN8nBefore(30)) return;
	const told =
		/^(\d+) of 200 messages were sent: items ([\d, -]+)\. In flight: items ([\d, -]+)\.$/;
	const [, count, sent, inFlight] = told.exec(customData?.messages_when_stopped ?? '') ?? [];
	expect(itemsIn(sent)).toHaveLength(Number(count));
	const begun = [...itemsIn(sent), ...itemsIn(inFlight)];
	expect(new Set(begun).size).toBe(begun.length);
	// As many as may be in flight can begin before one whose row is created later.
	expect(Math.max(...begun)).toBeLessThan(begun.length + IN_PARALLEL);
});

/** Of "0-2, 5": 0, 1, 2 and 5. */
function itemsIn(ranges: string): number[] {
	return ranges.split(', ').flatMap((range) => {
		const [from, to = from] = range.split('-').map(Number);
		return Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});
}
