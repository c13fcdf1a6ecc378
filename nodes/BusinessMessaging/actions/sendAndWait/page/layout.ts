import { createHash } from 'crypto';

import { SCRIPT, STYLE } from './style';

const SIGNS: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** For text between tags, and in attributes with quotes. */
export function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (sign) => SIGNS[sign]);
}

function hashOf(text: string): string {
	return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Without form-action: in a sandbox, some versions of Safari take 'self' for no address at all. */
const POLICY = [
	"default-src 'none'",
	`style-src ${hashOf(STYLE)}`,
	`script-src ${hashOf(SCRIPT)}`,
	"base-uri 'none'",
].join('; ');

/** The link is a secret, and what the page says changes with the answer. */
export const HEADERS = {
	'Content-Type': 'text/html; charset=utf-8',
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'; sandbox allow-forms allow-scripts`,
	'Cache-Control': 'no-store',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex',
};

/**
 * A whole page.
 * @param content HTML
 */
export function pageOf(title: string, content: string): string {
	// The policy stands in the page as well: n8n puts a weaker header before the page that it sends itself.
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
}
