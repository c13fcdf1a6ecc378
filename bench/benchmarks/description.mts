import { join } from 'node:path';
import type { Benchmark } from '../benchmark.mts';
import { nodeFolders, runBesideN8n } from '../besideN8n.mts';
import { median } from '../figures.mts';

const TEXT = 'Hi {{1}}, your order {{2}} arrives on {{3}}.';
const LONG_TEXT = `${TEXT} Call 1800 123 4567 from 9 to 18. ${'We will be glad to hear from you. '.repeat(24)}`;

const SEND = {
	resource: 'message',
	operation: 'sendTemplate',
	to: '={{ $json.phone }}',
	templateName: 'order_update',
	templateText: TEXT,
	variable1: '={{ $json.name }}',
	variable2: 'A-17',
	variable3: 'Friday',
};

const OURS: Record<string, Record<string, unknown>> = {
	'Send Template': SEND,
	'Send Template, long text': { ...SEND, templateText: LONG_TEXT },
	'Send Template and Wait': { ...SEND, operation: 'sendAndWait', message: 'Does it suit you?' },
	'Get Status': { resource: 'message', operation: 'getStatus', messageId: '={{ $json.id }}' },
};

const REFERENCE = 'HTTP Request';
const POST = { method: 'POST', url: 'https://example.com', sendBody: true, specifyBody: 'json' };
const MAIL = { sendTo: '={{ $json.email }}', subject: 'Your order', message: 'Hi' };

/** n8n's own nodes: the file, the version, and parameters that send something. */
const THEIRS: Record<string, [string, number, object]> = {
	[REFERENCE]: ['HttpRequest/HttpRequest', 4.5, { ...POST, jsonBody: '={"a": {{ $json.a }}}' }],
	WhatsApp: ['WhatsApp/WhatsApp', 1.1, { phoneNumberId: '1', textBody: 'Hi' }],
	Gmail: ['Google/Gmail/Gmail', 2.2, MAIL],
	Slack: ['Slack/Slack', 2.4, { select: 'channel', channelId: '1', text: 'Hi' }],
	If: ['If/If', 2.3, { conditions: {} }],
	Webhook: ['Webhook/Webhook', 2.1, { httpMethod: 'POST', path: 'orders' }],
};

export const description: Benchmark = {
	title:
		'what n8n computes for each node of a workflow whenever it makes the workflow: its parameters',
	async run({ pairs, tarball, say }) {
		const folders = await nodeFolders(tarball);
		const ours = Object.entries(OURS).map(([name, parameters]) => {
			return {
				name,
				file: join(folders.ours, 'BusinessMessaging.node.js'),
				version: 1,
				parameters,
			};
		});
		const theirs = Object.entries(THEIRS).map(([name, [file, version, parameters]]) => {
			return { name, file: join(folders.theirs, `${file}.node.js`), version, parameters };
		});
		const sides = JSON.stringify([...ours, ...theirs]);
		const samples: Array<Record<string, number>> = [];
		for (let pair = 1; pair <= pairs; pair++) {
			say(`  ${pair} of ${pairs}`);
			samples.push(JSON.parse(await runBesideN8n('parametersOnce.cjs', [sides])));
		}
		return {
			figures: ours.map(({ name }) => ({
				what: name,
				reference: REFERENCE,
				unit: 'ms',
				pairs: samples.map((sample) => ({ ours: sample[name], reference: sample[REFERENCE] })),
			})),
			facts: [...ours, ...theirs].map(({ name }) => ({
				what: name,
				value: median(samples.map((sample) => sample[name])),
				unit: 'ms',
			})),
		};
	},
};
