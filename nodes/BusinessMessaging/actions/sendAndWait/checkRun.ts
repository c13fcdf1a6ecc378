import type { IExecuteFunctions } from 'n8n-workflow';

import { runsInEngineV2 } from '../../engineV2';
import { InputError } from '../../errors/inputError';
import { isTool } from '../../isTool';
import { checkOldValues } from '../sendTemplate/oldValues';
import { isHumanReview } from './humanReview';

/** @throws InputError where one run of the node cannot wait for one answer */
export function checkRun(context: IExecuteFunctions): void {
	const node = context.getNode();
	if (typeof context.getSignedResumeUrl !== 'function') {
		throw new InputError(
			'This n8n is too old for Send Template and Wait for Response: it signs no links',
			'Update n8n.',
		);
	}
	if (runsInEngineV2(context)) {
		throw new InputError(
			"n8n's engine v2 can't wait for an answer, so the question was not sent",
			"Remove engineType from the workflow's settings, or choose Send Template.",
		);
	}
	if (isTool(node) && !isHumanReview(node)) {
		throw new InputError(
			"Send Template and Wait for Response can't be a tool of an AI agent",
			'Add it as Human review between the agent and the tool that it is to approve. For a question of the agent itself, put it into a sub-workflow, and let the agent call that with Call n8n Sub-Workflow Tool.',
		);
	}
	const { length } = context.getInputData();
	if (length > 1) {
		throw new InputError(
			`Send Template and Wait for Response asks one question at a time, but there are ${length} items`,
			'Put a Loop Over Items node before it, with a batch size of 1.',
		);
	}
	checkOldValues(context);
}
