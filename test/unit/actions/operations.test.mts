import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { readIncludesInput } from '../../../nodes/BusinessMessaging/actions/options/includeInputFields';
import { readRunOptions } from '../../../nodes/BusinessMessaging/run/plan';
import { withParameters } from '../../support/parameters.mts';

// docs/good-to-know.md: 60 requests a minute by default
it.each([
	['sendTemplate', { to: '+14155552671', templateName: 'order_update', category: 'utility' }],
	['getStatus', { messageId: 'message-1' }],
])('without options %s uses the published defaults', (value, values) => {
	const context = withParameters({ ...values, variablesInput: 'none' });
	const entry = OPERATIONS.find((operation) => operation.value === value);
	const limits = { timeoutMs: 30_000, requestsPerMinute: 60 };
	const job: object | undefined = entry?.operation.read(context, 0, 0);
	expect(job).toMatchObject({ rawResponse: false, wait: undefined, limits });
	expect(job).not.toHaveProperty('dryRun', true);
	const ofRun = { concurrency: 10, spendingLimit: Infinity };
	expect(readRunOptions(context, 'customers')).toEqual(ofRun);
	expect(readIncludesInput(context)).toBe(false);
});
