import { createServer, type Socket } from 'node:net';
import type { N8nClient } from '../../playground/n8n/client.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { listen } from './listen.ts';

export interface Mail {
	to: string[];
	/** Headers and text as they came. */
	content: string;
}

/** A mail server that keeps what it gets. @param refuses whose mail it does not take */
export async function startMailbox(refuses: string[] = []) {
	const mails: Mail[] = [];

	function serve(socket: Socket) {
		let received = '';
		let mail: Mail | undefined;
		let to: string[] = [];
		const say = (line: string) => socket.write(`${line}\r\n`);

		/** Until a line with a dot alone, all lines belong to the mail. */
		function read(line: string) {
			if (mail) {
				if (line !== '.') {
					mail.content += `${line}\n`;
					return;
				}
				mails.push(mail);
				mail = undefined;
				to = [];
				say('250 Kept');
				return;
			}
			const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(line) ?? [];
			if (recipient !== undefined && refuses.includes(recipient)) {
				say('550 Nobody here of that name');
				return;
			}
			if (recipient !== undefined) to.push(recipient);
			if (/^EHLO /i.test(line)) {
				say('250-localhost\r\n250-8BITMIME\r\n250 SMTPUTF8');
				return;
			}
			if (/^DATA$/i.test(line)) {
				mail = { to, content: '' };
				say('354 Go on');
				return;
			}
			say(/^QUIT$/i.test(line) ? '221 Bye' : '250 OK');
		}

		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			received += chunk.toString();
			const lines = received.split('\r\n');
			received = lines.pop() ?? '';
			for (const line of lines) read(line);
		});
		say('220 localhost');
	}

	const server = createServer(serve);
	return {
		port: Number(new URL(await listen(server)).port),
		mails,
		async close() {
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
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
		data: {
			user: '',
			password: '',
			host: '127.0.0.1',
			port,
			secure: false,
			disableStartTls: true,
		},
	});
	const nodes = workflow.nodes.map((node) =>
		node.type === 'n8n-nodes-base.emailSend'
			? { ...node, credentials: { smtp: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}
