import type { IWebhookDescription } from 'n8n-workflow';

function webhook(httpMethod: 'GET' | 'POST'): IWebhookDescription {
	return {
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		// Empty, so that the answer is what webhook() returns.
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	};
}

/** Where the link of a question leads; n8n serves it while the execution waits. */
export const sendAndWaitWebhooks = [webhook('GET'), webhook('POST')];

export const WAITING_TOOLTIP =
	'={{ $parameter["operation"] === "sendAndWait" ? "The workflow goes on when the question is answered, or when its time is over" : "" }}';
