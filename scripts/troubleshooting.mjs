// Writes the table "Failures of the node" of docs/troubleshooting.md. With --check it fails if the table is not fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { FAILURES } from '../nodes/BusinessMessaging/errors/catalogue.ts';

const PAGE = join(import.meta.dirname, '..', 'docs', 'troubleshooting.md');

/** By which HTTP status a reader may search. */
const STATUS = {
	keyRejected: '401',
	noApiAccess: '403',
	proxyLogin: '407',
	rateLimited: '429',
	apiBroken: '5xx',
};

/** Where this page has more to say than the node, or what it says depends on the item. */
const ADVICE = {
	keyRejected:
		'Paste the key again from Settings → API Keys of the dashboard. If you type it into a new credential, n8n 2.41 may keep only its first letter, although the test is green',
	windowClosed: 'Set **Category** to the one that the template is approved for, or to **Auto**',
	notOnNetwork:
		'Write the number with plus sign and country code, or choose a **Default Country**. If the number is right, the customer does not use the messaging app',
	unsupportedType: 'Reach the customer in another way',
	webPage:
		'Enter the address of the API as the Base URL, not the address of the dashboard. If it is right, a proxy or firewall is in between',
	refusedAsInvalid:
		'Check the recipient, the template name, the category and the number of variables; for a status, the message ID',
	rateLimited:
		'The node waits and continues by itself. If it gets only 429 for some minutes, something else uses up the limit: set **Requests per Minute** lower, and send the `notSent` items again. If only one message fails, as `rejected`, the API may limit messages to its number',
	noTimeLeft:
		'Send fewer items at once, or raise **Wait Timeout** or **Requests in Parallel** if the remedy names it',
	timeout:
		'If the outcome is `unknown`, look in the dashboard or ask the customer before you send it again. Otherwise try again later, or raise **Timeout**',
	retriedBefore:
		'[Retry the latest execution](after-a-crash.md#when-a-retry-is-refused). If that is refused, too, see `notStored`',
	notStored:
		'There are [no rows](after-a-crash.md#when-a-retry-is-refused) of what it sent. Check in the dashboard, and start a new run for the rows that are left',
};

function rowOf([code, { message, remedy, networkCode = STATUS[code], undocumentedCode }]) {
	const number = undocumentedCode ? `${undocumentedCode}\\*` : networkCode;
	const also = number ? ` (${number})` : '';
	const says = message.replace(/\{\w+\}/g, '…');
	return `| \`${code}\`${also} | ${says} | ${(ADVICE[code] ?? remedy).replace(/\.$/, '')} |`;
}

const table = [
	'| `error.code` | What it says | What to do |',
	'| --- | --- | --- |',
	...Object.entries(FAILURES).map(rowOf),
].join('\n');
const page = readFileSync(PAGE, 'utf8');
const written = page.replace(
	/(<!-- failures: .* -->\n)[^]*?(<!-- \/failures -->)/,
	(_, begin, end) => `${begin}\n${table}\n\n${end}`,
);
const fresh = await format(written, { ...(await resolveConfig(PAGE)), filepath: PAGE });

if (!process.argv.includes('--check')) {
	writeFileSync(PAGE, fresh);
} else if (fresh !== page) {
	console.error('docs/troubleshooting.md is not fresh: run "node scripts/troubleshooting.mjs"');
	process.exitCode = 1;
}
