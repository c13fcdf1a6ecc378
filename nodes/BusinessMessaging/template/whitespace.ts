/** A line break, a tab, or more than four spaces: networks refuse a value that has one of them. */
const REFUSED = /[\t-\r\u0085\u2028\u2029]|.{5}/;

/** The value as networks take it: each such place is one space, and nothing at either end. */
export function tidied(value: string): string {
	return value.replace(/[\s\u0085]+/g, (run: string, start: number) => {
		if (!REFUSED.test(run)) return run;
		return start === 0 || start + run.length === value.length ? '' : ' ';
	});
}
