/** Nothing, or a text of nothing but white space. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/** A text with more than white space. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && !isBlank(value);
}
