import type { LocalApi } from '../../playground/api/server.ts';
import { CUSTOMER, DEVELOPMENT_KEY } from '../../playground/api/wellKnown.ts';

/** As a workflow does it, without one. */
export async function sendTemplate(api: LocalApi, changes: object): Promise<void> {
	const body = {
		to: CUSTOMER,
		type: 'template',
		templateName: 'order_update',
		category: 'utility',
		...changes,
	};
	await fetch(`${api.url}/api/integrations/messages/send`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': DEVELOPMENT_KEY },
		body: JSON.stringify(body),
	});
}
