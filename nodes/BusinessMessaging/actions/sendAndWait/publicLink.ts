import type { NodeExecutionHint } from 'n8n-workflow';

import { PRIVATE_HOST } from '../../transport/connection';

/** Tells that the customer's phone can't open the link. @returns undefined when nothing speaks against it */
export function hintAbout(link: string): NodeExecutionHint | undefined {
	const { hostname, origin } = new URL(link);
	if (!PRIVATE_HOST.test(hostname)) return undefined;
	return {
		message: `The link leads to ${origin}, which only this computer or network can open. For customers, set n8n's variable WEBHOOK_URL to the public address of your n8n.`,
		type: 'warning',
		location: 'outputPane',
	};
}
