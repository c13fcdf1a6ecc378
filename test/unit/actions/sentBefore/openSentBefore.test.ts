import type { IExecuteFunctions } from 'n8n-workflow';

import { openSentBefore } from '../../../../nodes/BusinessMessaging/actions/sentBefore/openSentBefore';
import { NODE } from '../../../support/sendNode.ts';

it('what one run of a loop sent does not count for the next', () => {
	const store = {};
	const inRun = ($runIndex: number | undefined) =>
		openSentBefore(
			{
				getContext: () => store,
				getNode: () => NODE,
				getWorkflowDataProxy: () => ({ $runIndex }),
			} as unknown as IExecuteFunctions,
			false,
		);
	inRun(1).remember(0, {}, { json: { message_id: 'm1' } });
	expect([...inRun(1).results.keys()]).toEqual([0]);
	expect([...inRun(2).results.keys()]).toEqual([]);
	inRun(undefined).remember(0, {}, { json: { message_id: 'm1' } });
	expect([...inRun(0).results.keys()]).toEqual([0]);
});
