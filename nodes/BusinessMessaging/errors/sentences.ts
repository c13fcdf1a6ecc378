/** Sentences in one text. One that ends without a period, such as a quotation, gets one. */
export function joinSentences(...sentences: Array<string | false | undefined>): string {
	return sentences
		.filter((sentence) => typeof sentence === 'string' && sentence.trim() !== '')
		.map((sentence) => (/[.!?…:]["”)]?$/.test(String(sentence)) ? sentence : `${sentence}.`))
		.join(' ');
}
