import { owner } from '../n8n/rest/session.mts';
import type { Scene } from '../n8n/setUp.mts';

/** How to go on without the demo's own customer. */
export function byHand({ n8n, api, tableId, question }: Scene, logFile: string): string {
	return `
Write as the customer: ${api.url}
  With curl instead:   ${api.url}/help
Be asked a question:   ${question.address}

The editor:            ${n8n.url}
  Log in as:           ${owner.email}, password ${owner.password}
  The CRM table:       ${n8n.client.dataTables.url(tableId)}
  n8n's log:           ${logFile}

Ctrl-C stops everything.`;
}
