const HIDDEN = '•••';

/** What is shorter is no key, and stands in words and numbers that the user wants to read. */
const MIN_KEY_LENGTH = 8;

export interface KeyCutter {
	cutText: (text: string) => string;
	/** In all texts of a JSON value, its names included. @throws RangeError when it is nested too deep */
	cutValue: (value: unknown) => unknown;
}

/**
 * Cuts the key out of what a server repeats, however JSON, HTML or a URL writes its characters.
 * @param apiKey without a backslash
 */
export function createKeyCutter(apiKey: string): KeyCutter {
	if (apiKey.length < MIN_KEY_LENGTH) {
		return { cutText: (text) => text, cutValue: (value) => value };
	}
	const pattern = new RegExp([...apiKey].map(waysOfWriting).join(''), 'g');
	const cutText = (text: string) => text.replace(pattern, HIDDEN);

	function cutValue(value: unknown): unknown {
		if (typeof value === 'string') return cutText(value);
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map(cutValue);
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [cutText(name), cutValue(inner)]),
		);
	}
	return { cutText, cutValue };
}

const NAMED_IN_HTML: Record<string, string> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Backslashes are counted up to a bound: without one, a long row of them takes quadratic time. */
function waysOfWriting(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const itself = /[\w-]/.test(character) ? character : `\\${character}`;
	const ways = [
		`\\\\{1,7}u00${hex}`,
		`%${hex}`,
		`&#[xX]0{0,4}${hex};`,
		`&#0{0,4}${code};`,
		...(character in NAMED_IN_HTML ? [`&${NAMED_IN_HTML[character]};`] : []),
		`\\\\{0,7}${itself}`,
	];
	return `(?:${ways.join('|')})`;
}
