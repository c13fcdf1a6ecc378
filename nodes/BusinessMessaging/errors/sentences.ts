import { isText } from '../isBlank';

export const TRY_LATER = 'Try again later.';
export const NOTHING_SENT = 'Nothing was sent.';

/** Sentences in one text. One that ends without a period, such as a quotation, gets one. */
export function joinSentences(...sentences: Array<string | false | undefined>): string {
	return sentences
		.filter(isText)
		.map((sentence) => (/[.!?…:]["”)]?$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** What was thrown, in its own words. */
export function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
