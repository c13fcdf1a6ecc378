import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { N8nClient } from '../../playground/n8n/client.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { close, listen } from './listen.mts';

interface Mail {
	to: string[];
	/** Headers and text as they came. */
	content: string;
}

/** For all tests of a file: a mail server that keeps what it gets. @param refuses whose mail it does not take */
export function mailboxOfFile(refuses: string[] = []) {
	const mails: Mail[] = [];

	async function serve(socket: Socket) {
		const say = (reply: string) => socket.write(`${reply}\r\n`);
		socket.on('error', () => socket.destroy());
		let mail: Mail = { to: [], content: '' };
		let isContent = false;
		say('220 localhost');
		for await (const line of createInterface(socket)) {
			const [, recipient] = /^RCPT TO:<(.*?)>/i.exec(line) ?? [];
			if (isContent && line !== '.') {
				// Until a line with a dot alone, all lines belong to the mail.
				mail.content += `${line}\n`;
			} else if (isContent) {
				mails.push(mail);
				mail = { to: [], content: '' };
				isContent = false;
				say('250 OK');
			} else if (line.toUpperCase() === 'DATA') {
				isContent = true;
				say('354 Go on');
			} else if (recipient && refuses.includes(recipient)) {
				say('550 Nobody here of that name');
			} else {
				if (recipient) mail.to.push(recipient);
				say('250 OK');
			}
		}
	}

	const server = createServer((socket) => void serve(socket));
	let port: number;
	beforeAll(async () => {
		port = Number(new URL(await listen(server)).port);
	});
	afterAll(async () => await close(server));

	return {
		mails,

		/** The workflow, whose Send Email nodes send there. */
		async connect(client: Pick<N8nClient, 'credentials'>, workflow: Workflow): Promise<Workflow> {
			const anybody = { user: '', password: '', secure: false, disableStartTls: true };
			const data = { host: '127.0.0.1', port, ...anybody };
			const { id, name } = await client.credentials.save({ name: 'Mailbox', type: 'smtp', data });
			const nodes = workflow.nodes.map((node) =>
				node.type === 'n8n-nodes-base.emailSend'
					? { ...node, credentials: { smtp: { id, name } } }
					: node,
			);
			return { ...workflow, nodes };
		},
	};
}
