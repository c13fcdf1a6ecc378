/** The shapes of the API document (version 2.0). Section numbers are the document's. */

/** The name of the credential's type. */
export const CREDENTIAL = 'businessMessagingApi';

export const SEND_PATH = '/api/integrations/messages/send';
export const STATUS_PATH = '/api/integrations/messages/status/';

/** 8.1 */
export const REMAINING_HEADER = 'x-ratelimit-remaining';
export const RESET_HEADER = 'x-ratelimit-reset';

/** 2.6 */
export const CATEGORIES = ['utility', 'marketing', 'authentication', 'service'] as const;
export type Category = (typeof CATEGORIES)[number];

/** 2.5 */
export type MessageStatus = 'sent' | 'delivered' | 'read' | 'failed';

/** 4.1: the body of the send request. `templateVariables` has positions as keys, from "1". */
export interface SendRequest {
	to: string;
	type: 'template';
	templateName: string;
	templateVariables?: Record<string, string>;
	category: Category;
}

/** 2.2: `data` of the send answer; fields that the API adds are kept. */
export interface SentMessage {
	message_id: string | number;
	[field: string]: unknown;
}

/** 2.3: `data` of the status answer; fields that the API adds are kept. */
export interface StatusRecord {
	status: string;
	[field: string]: unknown;
}
