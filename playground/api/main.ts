import { parseArgs } from 'node:util';
import { startLocalApi } from './server.ts';

const USAGE = 'Usage: npm run api -- [--port 4010] [--webhook <url>]... [--container]';
const DEFAULT_PORT = '4010';

function readCommandLine() {
	const options = {
		port: { type: 'string', default: DEFAULT_PORT },
		webhook: { type: 'string', multiple: true, default: [] as string[] },
		container: { type: 'boolean', default: false },
	} as const;
	const { container, port, webhook } = parseArgs({ options }).values;
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
		throw new Error(`--port ${port} is not a port.`);
	}
	const wrong = webhook.find((each) => !/^https?:$/.test(URL.parse(each)?.protocol ?? ''));
	if (wrong !== undefined) throw new Error(`--webhook ${wrong} is not an http address.`);
	return { inContainer: container, port: Number(port), webhookUrls: webhook };
}

function sentenceOf(error: unknown): string {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use: stop what listens there, or choose another with --port.`;
	}
	if (code === 'EACCES') return `Port ${port} is reserved: choose one above 1023 with --port.`;
	return code?.startsWith('ERR_PARSE_ARGS') ? `${message} ${USAGE}` : message;
}

try {
	const { inContainer, port, webhookUrls } = readCommandLine();
	const api = await startLocalApi({ port }, { inContainer });
	api.webhookUrls = webhookUrls;
	const stop = () => void api.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	console.log(
		`The local API listens at ${api.url}: open it in a browser to be the customer. Ctrl-C stops it.`,
	);
} catch (error) {
	console.error(sentenceOf(error));
	process.exitCode = 1;
}
