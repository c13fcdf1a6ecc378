import { parseParameters } from '../parameters.mts';
import { startLocalApi } from './server.mts';

const USAGE = `npm run api [-- options]

  --port <n>       port of the API (4010; 0 = a free one)
  --webhook <url>  where events go; give it again for each further address
  --container      let other containers reach it`;

function readCommandLine() {
	const options = {
		port: { type: 'string', default: '4010' },
		webhook: { type: 'string', multiple: true, default: [] as string[] },
		container: { type: 'boolean', default: false },
		help: { type: 'boolean', short: 'h' },
	} as const;
	const { container, help, port, webhook } = parseParameters({ options }, USAGE).values;
	if (help) return 'help';
	if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
		throw new Error(`--port ${port} is not a port: use a number from 0 to 65535.`);
	}
	const wrong = webhook.find((each) => !/^https?:$/.test(URL.parse(each)?.protocol ?? ''));
	if (wrong !== undefined) throw new Error(`--webhook ${wrong} is not an http address.`);
	return { inContainer: container, port: Number(port), webhookUrls: webhook };
}

type CommandLine = Exclude<ReturnType<typeof readCommandLine>, 'help'>;

function sentenceOf(error: unknown): string {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use: stop what listens there, or choose another with --port.`;
	}
	if (code === 'EACCES') return `Port ${port} is reserved: choose one above 1023 with --port.`;
	return message;
}

async function start({ inContainer, port, webhookUrls }: CommandLine) {
	const api = await startLocalApi({ port }, { inContainer });
	api.webhookUrls = webhookUrls;
	const stop = () => void api.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	console.log(
		`The local API listens at ${api.url}: open it in a browser to be the customer. Ctrl-C stops it.`,
	);
}

try {
	const commandLine = readCommandLine();
	if (commandLine === 'help') console.log(USAGE);
	else await start(commandLine);
} catch (error) {
	console.error(sentenceOf(error));
	process.exitCode = 1;
}
