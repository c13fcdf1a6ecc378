import { NETWORK_ERRORS } from './networkErrors';

/** What could be found in the body of an error answer, whose shape the API document does not show. */
export interface ErrorDetails {
	/** One of the codes of 7.2, or another code that the body has. */
	networkCode?: string;
	/** What the API says, on one line and shortened. */
	text?: string;
	isWebPage: boolean;
}

const CODE_KEYS = [
	'code',
	'error_code',
	'errorCode',
	'networkCode',
	'error_subcode',
	'status_code',
];
const TEXT_KEYS = [
	'message',
	'error_user_msg',
	'details',
	'detail',
	'description',
	'error_description',
	'title',
	'reason',
	'error',
	'errors',
	'messages',
];
const MAX_DEPTH = 6;
const MAX_NODES = 500;
const MAX_TEXT_LENGTH = 200;
const MAX_SEARCHED_LENGTH = 20_000;

/** Never throws, whatever JSON or text the body is. */
export function readErrorBody(body: unknown): ErrorDetails {
	if (typeof body === 'string') return readText(body);
	const records = recordsOf(Array.isArray(body) ? { errors: body } : body);
	const codes = records.flatMap((record) =>
		CODE_KEYS.flatMap((key) => asCode(read(record, key)) ?? []),
	);
	const texts = TEXT_KEYS.flatMap((key) => records.map((record) => textAt(record, key)));
	const text = texts.map(asText).find((candidate) => candidate !== undefined);
	const known = codes.find((code) => code in NETWORK_ERRORS);
	const networkCode = known ?? findKnownCode(texts.join(' ')) ?? codes.find(isNetworkCode);
	return { networkCode, text, isWebPage: false };
}

function readText(body: string): ErrorDetails {
	const isWebPage = /^[\s\ufeff]*<[!?a-z]/i.test(body);
	const networkCode = findKnownCode(body);
	return { networkCode, text: isWebPage ? undefined : asText(body), isWebPage };
}

/** The records in a body, outermost first, within bounds that hold for any input. */
function recordsOf(body: unknown): object[] {
	const records: object[] = [];
	let level: unknown[] = [body];
	for (let depth = 0; depth < MAX_DEPTH; depth++) {
		const found = level.filter(
			(value): value is object => typeof value === 'object' && value !== null,
		);
		records.push(...found.filter((value) => !Array.isArray(value)));
		level = found.flatMap((value) => Object.values(value) as unknown[]).slice(0, MAX_NODES);
	}
	return records.slice(0, MAX_NODES);
}

function read(record: object, key: string): unknown {
	return Object.prototype.hasOwnProperty.call(record, key)
		? (record as Record<string, unknown>)[key]
		: undefined;
}

/** A list of texts counts by its first. */
function textAt(record: object, key: string): string | undefined {
	const value = read(record, key);
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' ? first : undefined;
}

function asCode(value: unknown): string | undefined {
	const code = typeof value === 'number' ? String(value) : value;
	return typeof code === 'string' && /^\d{1,10}$/.test(code.trim()) ? code.trim() : undefined;
}

/** HTTP statuses stand under "code" too; network codes are longer. */
function isNetworkCode(code: string): boolean {
	return code.length > 3;
}

function findKnownCode(text: string): string | undefined {
	const searched = text.slice(0, MAX_SEARCHED_LENGTH);
	return Object.keys(NETWORK_ERRORS).find((code) =>
		new RegExp(`(?<!\\d)${code}(?!\\d)`).test(searched),
	);
}

function asText(value: string | undefined): string | undefined {
	const line = value?.slice(0, MAX_SEARCHED_LENGTH).replace(/\s+/g, ' ').trim();
	if (!line) return undefined;
	return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}
