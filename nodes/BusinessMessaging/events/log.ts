const MAX_LENGTH = 300;
const MAX_QUOTED_LENGTH = 100;

/** A text of somebody else as a part of a line of the log. */
export function quoteForLog(text: unknown): string {
	return JSON.stringify(String(text).slice(0, MAX_QUOTED_LENGTH));
}

/** A line of the log: bounded, and with whatever ends a line or steers a terminal escaped. */
export function lineForLog(text: string): string {
	return text
		.slice(0, MAX_LENGTH)
		.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${hexOf(character)}}`);
}

function hexOf(character: string): string {
	return (character.codePointAt(0) ?? 0).toString(16);
}
