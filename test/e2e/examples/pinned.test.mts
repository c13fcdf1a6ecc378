import { EXAMPLES, imported, triggerOf } from '../../support/examples.mts';
import { runOnce } from '../../support/manualRun.mts';
import { n8nUnderTest, type N8nUnderTest } from '../../support/n8nUnderTest.mts';

let n8n: N8nUnderTest;

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

test.each(EXAMPLES)('%s runs to its end as it is imported, without an account', async (name) => {
	const workflow = await imported(name);
	const execution = await runOnce(n8n, workflow, triggerOf(workflow));
	expect(execution.data.resultData.error?.message).toBeUndefined();
	expect(execution.status).toBe('success');
});
