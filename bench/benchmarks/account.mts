import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atMost, median, pairUp } from '../figures.mts';
import { usageOf } from '../processUsage.mts';
import { businessMessagingTrigger, CHOSEN, chosenOnly, webhookNode } from '../receivers.mts';
import { publishReceiver } from '../receiving.mts';
import { businessMessaging, httpRequest, sendBody, templateText } from '../senders.mts';
import { LAZY_ACQUIRE, onStage, WEBHOOK_SECRET, type Stage } from '../stage.mts';

const SECONDS = 60;
/** Not measured, of each workflow before the first round: a fresh n8n needs half as much CPU again. */
const WARM_UP_SECONDS = 45;
/** Not measured, in each round: the status events of an answer take 3 s. */
const LEAD_IN_SECONDS = 5;
const REST_SECONDS = 15;

interface Sample {
	/** CPU time over time. */
	coreShare: number;
	/** Of `SECONDS` customers, `REST_SECONDS` after the last one wrote. */
	answered: number;
	/** Executions that are not over when the last customer writes. */
	waiting: number;
	/** The same after `REST_SECONDS`. */
	stillWaiting: number;
}

const FACTS: Array<[keyof Sample, what: string, unit: string]> = [
	['coreShare', 'CPU', 'of a core'],
	['answered', `answered of ${SECONDS}`, 'customers'],
	['waiting', 'not over at the end', 'executions'],
	['stillWaiting', `not over ${REST_SECONDS} s later`, 'executions'],
];

/** The API's own limit is off, because HTTP Request does not wait for it. Our node keeps to 60 a minute. */
const API = { requestsPerWindow: 0, webhookHeaders: { 'x-webhook-token': WEBHOOK_SECRET } };

export const account: Benchmark = {
	title: `one account at its limit: each second a customer writes and is answered, ${SECONDS} s, in one process with ${LAZY_ACQUIRE}`,
	async run({ pairs, say }) {
		return await onStage(
			API,
			async (stage) => {
				const workflows = workflowsOf(stage);
				const sides = {} as Record<keyof typeof workflows, () => Promise<Sample>>;
				for (const [name, nodes] of Object.entries(workflows)) {
					const target = await publishReceiver(stage.n8n, name, nodes);
					stage.api.webhookUrls = [target.url];
					await customersWrite(stage.api, WARM_UP_SECONDS);
					sides[name as keyof typeof workflows] = async () => await serve(stage, target);
				}
				const samples = await rounds(pairs, sides, say);
				const { allEvents, repeatsRun, onlyReceived, native } = samples;
				const core = native.map((sample) => ({ ...sample, coreShare: 1 }));
				const share = ({ coreShare }: Sample) => coreShare;
				const figure = { unit: 'of a core' };
				return {
					figures: [
						{
							...figure,
							what: 'CPU, all events',
							reference: 'Webhook, If and HTTP Request',
							pairs: pairUp(allEvents, native, share),
							aim: atMost(1),
						},
						{
							...figure,
							what: 'CPU, all events, without Drop Repeated Events',
							reference: 'Webhook, If and HTTP Request',
							pairs: pairUp(repeatsRun, native, share),
						},
						{
							...figure,
							what: 'CPU, only Message Received',
							reference: 'a core',
							pairs: pairUp(onlyReceived, core, share),
							aim: atMost(0.25),
						},
					],
					facts: Object.entries(samples).flatMap(([name, all]) =>
						FACTS.map(([read, what, unit]) => ({
							what: `${name}: ${what}`,
							value: median(all.map((sample) => sample[read])),
							unit,
						})),
					),
				};
			},
			{ [LAZY_ACQUIRE]: 'true' },
		);
	},
};

function workflowsOf({ api, credentials }: Stage) {
	const trigger = (events: string[], options = {}): NodeSettings => {
		const node = businessMessagingTrigger(credentials);
		return { ...node, parameters: { ...node.parameters, events, options } };
	};
	const answer = () =>
		businessMessaging(
			credentials,
			{},
			{ to: '={{ $json.phone }}', ...templateText('={{ $json.data.text }}') },
		);
	const answerByHttp = httpRequest(credentials, api.url, {
		jsonBody: `=${sendBody({ to: '{{ $json.body.data.from }}', name: '{{ $json.body.data.text }}' })}`,
	});
	const isChosen = () => chosenOnly('if', '={{ $json.event }}');
	return {
		allEvents: { Trigger: trigger(['*']), If: isChosen(), Answer: answer() },
		repeatsRun: {
			Trigger: trigger(['*'], { deduplicate: false }),
			If: isChosen(),
			Answer: answer(),
		},
		onlyReceived: { Trigger: trigger([CHOSEN]), Answer: answer() },
		native: {
			Webhook: webhookNode(credentials),
			If: chosenOnly('if', '={{ $json.body.event }}'),
			Answer: answerByHttp,
		},
	} satisfies Record<string, Record<string, NodeSettings>>;
}

/** Customers write to one workflow, whose answers cause events of their own: sent, delivered, read. */
async function serve(
	{ api, n8n }: Stage,
	{ workflowId, url }: { workflowId: string; url: string },
): Promise<Sample> {
	const unfinished = async () =>
		await n8n.client.executions.countOf(workflowId, ['new', 'running']);
	api.messages.clear();
	api.webhookUrls = [url];
	await customersWrite(api, LEAD_IN_SECONDS);
	const before = usageOf(n8n.pid).cpuSeconds;
	const startedAt = performance.now();
	const customers = await customersWrite(api, SECONDS);
	const coreShare =
		(usageOf(n8n.pid).cpuSeconds - before) / ((performance.now() - startedAt) / 1000);
	const waiting = await unfinished();
	await sleep(REST_SECONDS * 1000);
	const stillWaiting = await unfinished();
	const recipients = new Set([...api.messages.values()].map(({ to }) => to));
	const answered = customers.filter((customer) => recipients.has(customer)).length;
	api.webhookUrls = [];
	return { coreShare, answered, waiting, stillWaiting };
}

/** One a second. @returns their numbers, which belong to nobody: there is no area 555 */
async function customersWrite({ customerWrites }: Stage['api'], count: number): Promise<string[]> {
	const startedAt = performance.now();
	const customers = [];
	for (let customer = 0; customer < count; customer++) {
		const from = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
		customers.push(from);
		void customerWrites(from, `Is order ${randomUUID()} on its way?`);
		await sleep(startedAt + (customer + 1) * 1000 - performance.now());
	}
	return customers;
}
