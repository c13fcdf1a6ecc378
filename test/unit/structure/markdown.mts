import { readFileSync } from 'node:fs';

/** The rows of the table whose first column is headed so, as cells. */
export function tableOf(file: string, firstColumn: string): string[][] {
	const lines = readFileSync(file, 'utf8').split('\n');
	const start = lines.findIndex((line) => cellsOf(line)[0] === firstColumn);
	if (start < 0) throw new Error(`${file} has no table with a column "${firstColumn}"`);
	const rest = lines.slice(start + 2);
	const end = rest.findIndex((line) => !line.startsWith('|'));
	return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
	if (!line.startsWith('|')) return [];
	return line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim());
}

/** Without the code blocks, whose lines may look like anything. */
export function textOf(file: string): string {
	return readFileSync(file, 'utf8').replace(/^```[^]*?^```$/gm, '');
}

/** What the first group of a pattern matches, each time. */
export function captured(text: string, pattern: RegExp): string[] {
	return [...text.matchAll(pattern)].map(([, first]) => first);
}

export function headings(file: string): string[] {
	return captured(textOf(file), /^#+ (.+)$/gm);
}

/** Bold lines that head a part. */
export function boldLines(file: string): string[] {
	return captured(textOf(file), /^\*\*([^*]+)\*\*$/gm);
}

/** What stands in backticks. */
export function codeSpans(text: string): string[] {
	return captured(text, /`([^`\n]+)`/g);
}

export function linksOf(file: string): string[] {
	return captured(textOf(file), /\]\(([^)\s]+)\)/g);
}

/** The anchor that GitHub makes of a heading. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/ /g, '-');
}
