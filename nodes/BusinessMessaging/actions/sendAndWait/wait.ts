import type { IExecuteFunctions } from 'n8n-workflow';

import type { Asked } from '../question';
import { storeAsked } from './asked';
import { expiredJson } from './givenAnswer';
import { hintAbout } from './publicLink';

/** Not in n8n's types: n8n 1.x checks the links of an execution only when told to. */
interface Older {
	setSignatureValidationRequired?: () => void;
}

/** Ends the run of the node; n8n goes on when webhook() has taken an answer, or at the end of the time. */
export async function waitForAnswer(context: IExecuteFunctions, asked: Asked): Promise<void> {
	storeAsked(context, asked);
	// At the end of the time n8n passes on what the node got, in which `approved` may stand.
	context.getExecuteData().data = {
		main: [[{ json: expiredJson(asked), pairedItem: { item: 0 } }]],
	};
	const hint = hintAbout(context.getSignedResumeUrl());
	// Not there in older n8n.
	if (hint) context.addExecutionHints?.(hint);
	(context as Older).setSignatureValidationRequired?.();
	await context.putExecutionToWait(new Date(asked.until));
}
