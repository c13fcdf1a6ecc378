import type { ServerState } from './state.mts';
import { CUSTOMER, RECIPIENTS, REFUSALS } from './wellKnown.mts';

/** All that a person needs to know to play with the server. */
export function overview({ settings, webhooks }: ServerState, url: string) {
	const refusals = REFUSALS.map(({ recipient, templateName, httpStatus, code, message }) => ({
		recipient,
		templateName,
		answer: `${httpStatus ?? settings.networkErrorStatus} ${code}: ${message}`,
	}));
	return {
		name: 'Local Business Messaging API',
		phone: `${url}/ in a browser`,
		baseUrl: url,
		description: `${url}/openapi.json`,
		apiKeys: settings.apiKeys,
		recipients: {
			...RECIPIENTS,
			...Object.fromEntries(refusals.map(({ recipient, answer }) => [recipient, answer])),
		},
		templates: {
			...Object.fromEntries(refusals.map(({ templateName, answer }) => [templateName, answer])),
			'any other': 'approved',
		},
		messageIds: 'as the templates, for the status lookup',
		commands: commands(url, settings.apiKeys[0]?.key ?? '<API_KEY>'),
		webhookUrls: webhooks.urls,
		settings,
	};
}

function commands(url: string, key: string): Record<string, string> {
	const curl = (method: string, path: string, body: object, header = '') =>
		`curl -X ${method} ${url}${path}${header} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
	const keyHeader = ` -H 'X-API-Key: ${key}'`;
	const message = {
		to: CUSTOMER,
		type: 'template',
		templateName: 'order_update',
		templateVariables: { 1: 'Asha' },
		category: 'utility',
	};
	const formData = { name: 'Asha', city: 'Pune' };
	return {
		'send a template': curl('POST', '/api/integrations/messages/send', message, keyHeader),
		'look a message up': `curl ${url}/api/integrations/messages/status/<message_id>${keyHeader}`,
		'receive events': curl('PUT', '/playground/webhooks', {
			urls: ['http://127.0.0.1:5678/webhook/<path>?token=<secret>'],
		}),
		'write as the customer': curl('POST', '/playground/customer/messages', {
			from: CUSTOMER,
			text: 'Hello',
		}),
		'submit a form': curl('POST', '/playground/customer/forms', { from: CUSTOMER, formData }),
		'change a form': curl('PUT', '/playground/customer/forms/<submission_id>', { formData }),
		'emit any event, here twice at once': curl('POST', '/playground/events', {
			event: 'message.read',
			data: { message_id: 'msg_1' },
			copies: 2,
			overlapping: true,
		}),
		'change settings': curl('PATCH', '/playground/settings', { errorShape: 'html' }),
		'refuse the next two requests': curl('PATCH', '/playground/settings', { failNext: [500, 429] }),
		'see what happened': `curl ${url}/playground/log`,
		'deliver an event again': `curl -X POST ${url}/playground/deliveries/<id in the log>/redeliver`,
		'start over': `curl -X POST ${url}/playground/reset`,
	};
}

export type Overview = ReturnType<typeof overview>;
