import { createServer, type Socket } from 'node:net';
import type { N8nClient } from '../../playground/n8n/client.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { close, listen } from './listen.mts';

interface Mail {
	to: string[];
	/** Headers and text as they came. */
	content: string;
}

const REPLIES: Array<[command: RegExp, reply: string]> = [
	[/^EHLO /i, '250-localhost\r\n250-8BITMIME\r\n250 SMTPUTF8'],
	[/^DATA$/i, '354 Go on'],
	[/^QUIT$/i, '221 Bye'],
];

/** A mail server that keeps what it gets. @param refuses whose mail it does not take */
export async function startMailbox(refuses: string[] = []) {
	const mails: Mail[] = [];

	function serve(socket: Socket) {
		let received = '';
		let mail: Mail = { to: [], content: '' };
		let isContent = false;
		const replyTo = (line: string) => {
			const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(line) ?? [];
			if (recipient !== undefined) {
				if (refuses.includes(recipient)) return '550 Nobody here of that name';
				mail.to.push(recipient);
			}
			isContent = /^DATA$/i.test(line);
			return REPLIES.find(([command]) => command.test(line))?.[1] ?? '250 OK';
		};
		/** Until a line with a dot alone, all lines belong to the mail. */
		const read = (line: string) => {
			if (isContent && line !== '.') {
				mail.content += `${line}\n`;
				return;
			}
			if (isContent) {
				mails.push(mail);
				mail = { to: [], content: '' };
			}
			socket.write(`${replyTo(line)}\r\n`);
		};

		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			received += chunk.toString();
			const lines = received.split('\r\n');
			received = lines.pop() ?? '';
			for (const line of lines) read(line);
		});
		socket.write('220 localhost\r\n');
	}

	const server = createServer(serve);
	const port = Number(new URL(await listen(server)).port);
	return { port, mails, close: async () => await close(server) };
}

/** With the mailbox as the account of its Send Email nodes. */
export async function withMailbox(
	{ client }: { client: Pick<N8nClient, 'credentials'> },
	workflow: Workflow,
	{ port }: { port: number },
): Promise<Workflow> {
	const { id, name } = await client.credentials.save({
		name: 'Mailbox',
		type: 'smtp',
		data: { user: '', password: '', host: '127.0.0.1', port, secure: false, disableStartTls: true },
	});
	const nodes = workflow.nodes.map((node) =>
		node.type === 'n8n-nodes-base.emailSend'
			? { ...node, credentials: { smtp: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}
