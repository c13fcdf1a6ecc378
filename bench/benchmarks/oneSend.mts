import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { webhookNode } from '../../test/support/nativeNodes.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atMost, median, pairUp, type Figure } from '../figures.mts';
import { post } from '../post.mts';
import { usageOf } from '../processUsage.mts';
import { publishReceiver, type Target } from '../receiving.mts';
import { businessMessaging, httpRequest, sendBody, templateText } from '../senders.mts';
import { LAZY_ACQUIRE, onStage, type Stage } from '../stage.mts';

const EXECUTIONS = 50;
const WARM_UP_EXECUTIONS = 30;

const CUSTOMER = { to: '+15550000000', name: 'Asha' };
const COMPUTED = { to: '{{ $json.body.to }}', name: '{{ $json.body.name }}' };

export const oneSend: Benchmark = {
	title: `a Webhook node and one message, ${EXECUTIONS} executions one after the other, with ${LAZY_ACQUIRE}`,
	async run({ pairs, say }) {
		return await onStage(
			{ requestsPerWindow: 0 },
			async (stage) => {
				const senders = sendersOf(stage);
				const sides = {} as Record<keyof typeof senders, () => Promise<number>>;
				for (const [name, sender] of Object.entries(senders)) {
					const nodes = { Webhook: webhookNode({ responseMode: 'lastNode' }), Sender: sender };
					const target = await publishReceiver(stage.n8n, name, nodes);
					await execute(stage, target, WARM_UP_EXECUTIONS);
					sides[name as keyof typeof senders] = async () => await cpuMsOf(stage, target);
				}
				const samples = await rounds(pairs, sides, say);
				const figure = (what: string, ours: number[], theirs: number[]): Figure => ({
					what: `CPU time of an execution, ${what}`,
					reference: 'HTTP Request',
					unit: 'ms',
					pairs: pairUp(ours, theirs, (ms) => ms),
					aim: atMost(1.2),
				});
				return {
					figures: [
						figure('fixed values', samples.fixed, samples.fixedHttp),
						figure('expressions', samples.computed, samples.computedHttp),
					],
					facts: Object.entries(samples).map(([what, times]) => {
						return { what, value: median(times), unit: 'ms' };
					}),
				};
			},
			{ [LAZY_ACQUIRE]: 'true' },
		);
	},
};

function sendersOf({ api, credentials }: Stage) {
	const ours = ({ to, name }: typeof CUSTOMER, prefix = ''): NodeSettings =>
		businessMessaging(
			credentials,
			{ requestsPerMinute: 0 },
			{ to: `${prefix}${to}`, ...templateText(`${prefix}${name}`) },
		);
	const theirs = (values: typeof CUSTOMER, prefix = ''): NodeSettings =>
		httpRequest(credentials, api.url, { jsonBody: `${prefix}${sendBody(values)}` });
	return {
		fixed: ours(CUSTOMER),
		fixedHttp: theirs(CUSTOMER),
		computed: ours(COMPUTED, '='),
		computedHttp: theirs(COMPUTED, '='),
	};
}

async function cpuMsOf(stage: Stage, target: Target): Promise<number> {
	const before = usageOf(stage.n8n.pid).cpuSeconds;
	await execute(stage, target, EXECUTIONS);
	return ((usageOf(stage.n8n.pid).cpuSeconds - before) * 1000) / EXECUTIONS;
}

async function execute({ api }: Stage, { url }: Target, count: number) {
	api.messages.clear();
	const body = JSON.stringify(CUSTOMER);
	for (let sent = 0; sent < count; sent++) await post(url, body);
	if (api.messages.size !== count) throw new Error(`${api.messages.size} of ${count} were sent.`);
}
