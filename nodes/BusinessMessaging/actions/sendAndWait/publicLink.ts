import type { NodeExecutionHint } from 'n8n-workflow';

import { isPrivateHost } from '../../transport/privateHost';

/** Tells that the customer's phone can't open the link. @returns undefined when nothing speaks against it */
export function hintAbout(link: string): NodeExecutionHint | undefined {
	const { hostname, origin } = new URL(link);
	if (!isPrivateHost(hostname)) return undefined;
	return {
		message: `The link leads to ${origin}, which only this computer or network can open. For customers, set N8N_WEBHOOK_URL (before n8n 2.30 WEBHOOK_URL) to the public address of your n8n.`,
		type: 'warning',
		location: 'outputPane',
	};
}
