import type { IDataObject } from 'n8n-workflow';
import { idOf, isRecord, textOf } from './values';

// The shapes of the API document (version 2.0). Section numbers are those of the document.

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

/** The document has only `failed`, but who waits for a message must not take another word for it as success. */
const FAILED_WORDS = ['blocked', 'error', 'failure', 'rejected', 'undeliverable', 'undelivered'];

/** A status in the words of 2.5; another one as it is, in small letters. */
export function readStatus(status: unknown): string {
	const word = textOf(status).toLowerCase();
	return FAILED_WORDS.includes(word) ? 'failed' : word;
}

/** A status that a message may be waited for to have. */
export type AwaitedStatus = Extract<MessageStatus, 'delivered' | 'read'>;

/** 4.1: the body of the send request. `templateVariables` has positions as keys, from "1". */
export interface SendRequest {
	to: string;
	type: 'template';
	templateName: string;
	templateVariables?: Record<string, string>;
	category: Category;
}

/** 2.3: `data` of the response to a look-up. Fields that the API adds are kept. */
export interface StatusRecord extends IDataObject {
	status: string;
}

/** Any response of a server, whatever its status. */
export interface ApiResponse {
	status: number;
	headers: Record<string, unknown>;
	/** Parsed when it is JSON, else the text. */
	body: unknown;
}

export function isGood(status: number): boolean {
	return status >= 200 && status <= 299;
}

/** Whether the API accepted the request: a good status, and not `success: false` in the envelope (2.1). */
export function isAccepted({ status, body }: ApiResponse): boolean {
	return isGood(status) && !(isRecord(body) && String(body.success).toLowerCase() === 'false');
}

/** The ID of the message (2.2), if the response has one. */
export function messageIdOf(response: ApiResponse): string | undefined {
	return idOf(dataOf(response)?.message_id);
}

/** `data` of the envelope (2.1), if it is an object. */
export function dataOf({ body }: ApiResponse): IDataObject | undefined {
	return isRecord(body) && isRecord(body.data) ? body.data : undefined;
}
