import { CUSTOMER } from '../api/wellKnown.ts';
import { owner } from '../n8n/rest/session.ts';
import type { Scene } from './setUp.ts';

function curl(url: string, body: object) {
	return `curl -X POST ${url} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}

/** How to go on without the demo's own customer. */
export function byHand({ n8n, api, tableId }: Scene, logFile: string): string {
	const customer = `${api.url}/playground/customer`;
	const formData = { name: 'Ravi Iyer', phone: CUSTOMER, interest: 'the green kettle' };
	return `
The editor:      ${n8n.url}
  Log in as:     ${owner.email}, password ${owner.password}
  The CRM table: ${n8n.client.dataTables.url(tableId)}
  n8n's log:     ${logFile}
The local API:   ${api.url}

Play the customer yourself:
  ${curl(`${customer}/messages`, { from: CUSTOMER, text: 'Hello' })}
  ${curl(`${customer}/forms`, { from: CUSTOMER, formData })}
See what the API sent and received:
  curl ${api.url}/playground/log

Ctrl-C stops everything.`;
}
