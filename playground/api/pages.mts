import type { FastifyInstance, FastifyReply } from 'fastify';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { helpPage } from './helpPage.mts';
import type { Overview } from './overview.mts';

const FOLDER = join(import.meta.dirname, 'phone');
const PHONE = 'index.html';

const CONTENT_TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, and no script that is not a file of ours. */
const HEADERS = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-cache',
};

/** What a browser sees: the customer's phone, its files, and the help. */
export function pages(overviewNow: () => Overview) {
	async function sendFile(reply: FastifyReply, name: string) {
		const content = await readFile(join(FOLDER, name));
		return reply.headers(HEADERS).type(CONTENT_TYPES[extname(name)]).send(content);
	}

	return function register(app: FastifyInstance, _options: object, done: () => void): void {
		// One address for both: a person opens it, and curl prints how to go on.
		app.get('/', async (request, reply) => {
			reply.header('vary', 'accept');
			const wantsHtml = request.headers.accept?.includes('text/html');
			return wantsHtml ? await sendFile(reply, PHONE) : overviewNow();
		});
		for (const name of readdirSync(FOLDER)) {
			app.get(`/phone/${name}`, async (_request, reply) => await sendFile(reply, name));
		}
		app.get('/help', (_request, reply) =>
			reply.headers(HEADERS).type(CONTENT_TYPES['.html']).send(helpPage(overviewNow())),
		);
		done();
	};
}
