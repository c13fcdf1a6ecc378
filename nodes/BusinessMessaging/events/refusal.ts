import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../errors/inputError';

const REMEDIES: Record<number, string> = {
	400: 'Send an event of the Business Messaging API, such as one from your dashboard.',
	401: 'The sender must call the Test URL with ?token= and the Webhook Secret of the credential at its end.',
	403: 'Add the address to IP Allowlist under Options, if it is the sender of your events.',
	413: 'Send a smaller event.',
};

/**
 * Stands in for a refused test event, so that whoever listens for one in the editor learns why: n8n
 * shows nothing of a request that starts no run.
 */
export function refusedTest(status: number, reason: string): INodeExecutionData {
	return { json: { refusedTest: { status, reason } } };
}

/** Why an event starts no run that its sender may send. */
export type Ignored = 'notChosen' | 'tooOld';

const REMEDIES_OF_IGNORED: Record<Ignored, string> = {
	notChosen: 'Choose this event there, or cause one that is chosen.',
	tooOld: 'Raise Max Event Age under Options, or cause a new event.',
};

/** The same for one that was ignored. */
export function ignoredTest(why: Ignored, reason: string): INodeExecutionData {
	return { json: { ignoredTest: { why, reason } } };
}

/** Whether an item stands in for a test event that was refused or ignored. */
export function isStandIn([first]: INodeExecutionData[]): boolean {
	return first !== undefined && ('refusedTest' in first.json || 'ignoredTest' in first.json);
}

/** @throws InputError when the run was started by a test event that was refused or ignored */
export function demandAccepted([first]: INodeExecutionData[]): void {
	const ignored = first?.json.ignoredTest as IDataObject | undefined;
	if (ignored) {
		throw new InputError(
			`The test event was ignored: ${String(ignored.reason)}`,
			REMEDIES_OF_IGNORED[ignored.why as Ignored],
		);
	}
	const refused = first?.json.refusedTest as IDataObject | undefined;
	if (!refused) return;
	throw new InputError(
		`The test event was refused: ${String(refused.reason)}`,
		REMEDIES[Number(refused.status)] ?? 'Correct it and listen again.',
	);
}
