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

export function headings(file: string): string[] {
	return [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
}

/** The anchor that GitHub makes of a heading. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/ /g, '-');
}
