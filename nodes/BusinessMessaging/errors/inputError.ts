/** Something the user typed or mapped is wrong: `message` says what, `remedy` says what to do. */
export class InputError extends Error {
	readonly remedy: string;

	constructor(message: string, remedy: string) {
		super(message);
		this.name = 'InputError';
		this.remedy = remedy;
	}

	/** Both in one text, for places that show only one. */
	get sentences(): string {
		return `${this.message}. ${this.remedy}`;
	}
}

const SHOWN_LENGTH = 40;

/** A value as it is quoted in a message: one line, shortened. */
export function quote(value: unknown): string {
	const line = printed(value).replace(/\s+/g, ' ').trim();
	return `"${line.length > SHOWN_LENGTH ? `${shortened(line)}…` : line}"`;
}

/** What a value is called that is no text at all; undefined for texts, numbers and the like. */
export function containerName(value: unknown): 'a list' | 'an object' | undefined {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : undefined;
}

/** Not in the middle of a character of two code units. */
function shortened(line: string): string {
	return line.slice(0, SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

function printed(value: unknown): string {
	if (typeof value === 'string') return value;
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		// Cyclic values and BigInt have no JSON.
		return String(value);
	}
}
