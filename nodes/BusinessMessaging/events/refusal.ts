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

/** @throws InputError when the run was started by a refused test event */
export function demandAccepted([first]: INodeExecutionData[]): void {
	const refused = first?.json.refusedTest as IDataObject | undefined;
	if (!refused) return;
	throw new InputError(
		`The test event was refused: ${String(refused.reason)}`,
		REMEDIES[Number(refused.status)] ?? 'Correct it and listen again.',
	);
}
