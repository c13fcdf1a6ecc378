/** For text between tags, and in attributes in double quotes. */
export function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
