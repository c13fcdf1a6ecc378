/** Sentences in one text. One that ends without a period, such as a quotation, gets one. */
export function joinSentences(...sentences: Array<string | false | undefined>): string {
	return sentences
		.flatMap((sentence) => (sentence && sentence.trim() ? sentence : []))
		.map((sentence) => (/[.!?…:]["”)]?$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}
