import { setTimeout as sleep } from 'node:timers/promises';
import { deliveredOnce } from '../../playground/api/messages.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { ROWS, webhookNode } from '../../test/support/nativeNodes.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atMost, pairUp } from '../figures.mts';
import { usageOf } from '../processUsage.mts';
import { businessMessaging } from '../senders.mts';
import { rowsOf, send, type Sending } from '../sending.mts';
import { onStage, type Stage } from '../stage.mts';

interface Pace {
	requestsPerMinute: number;
	sends: number;
	/** Not measured: a process is slower at first. */
	warmUpSends: number;
	/** The rows go after the end of a run; and until no request of it counts. */
	restMs: number;
}

const UNLIMITED: Pace = { requestsPerMinute: 0, sends: 1000, warmUpSends: 500, restMs: 5000 };
const PACED: Pace = { requestsPerMinute: 120, sends: 150, warmUpSends: 50, restMs: 61_000 };
const API_LATENCY_MS = 50;
const SENDER = 'Sender';
const FIRST = 'First';

/**
 * Sends the first items in a run of the node of their own, and then all. A node whose first run has one item makes no
 * rows in the whole execution; with two items each message has one.
 */
async function publishWith(
	{ n8n, credentials }: Stage,
	firstItems: number,
	requestsPerMinute: number,
): Promise<Sending> {
	const workflow = chain(`First ${firstItems}, ${requestsPerMinute} a minute`, {
		Webhook: webhookNode({ responseMode: 'lastNode' }),
		Rows: ROWS,
		[FIRST]: { type: 'n8n-nodes-base.limit', parameters: { maxItems: firstItems } },
		[SENDER]: businessMessaging(credentials, { concurrency: 50, requestsPerMinute }),
		Limit: { type: 'n8n-nodes-base.limit', parameters: { maxItems: 1 } },
	});
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	workflow.connections.Rows = { main: [[to(FIRST), to(SENDER)]] };
	const nodes = workflow.nodes.map((node) =>
		node.name === FIRST
			? { ...node, position: [node.position[0], -200] as [number, number] }
			: node,
	);
	const { saved, address } = await publish(n8n, { ...workflow, nodes });
	return { workflowId: saved.id, address };
}

async function measure({ api, n8n }: Stage, sending: Sending, count: number, restMs: number) {
	api.messages.clear();
	const before = usageOf(n8n.pid).cpuSeconds;
	const startedAt = performance.now();
	await send(sending, rowsOf(count));
	const seconds = (performance.now() - startedAt) / 1000;
	await sleep(restMs);
	const delivered = deliveredOnce(api.messages);
	if (delivered === 0) throw new Error('Nothing was delivered.');
	return { seconds, cpuMs: ((usageOf(n8n.pid).cpuSeconds - before) * 1000) / count };
}

export const ledger: Benchmark = {
	title: `what the rows for a Retry cost: ${UNLIMITED.sends} sends at once, ${PACED.sends} at ${PACED.requestsPerMinute} a minute`,
	async run({ pairs, say }) {
		const settings = { latencyMs: API_LATENCY_MS, requestsPerWindow: 0 };
		return await onStage(settings, async (stage) => {
			const sides = async ({ requestsPerMinute, sends, warmUpSends, restMs }: Pace) => {
				const ours = await publishWith(stage, 2, requestsPerMinute);
				const reference = await publishWith(stage, 1, requestsPerMinute);
				for (const side of [ours, reference]) await measure(stage, side, warmUpSends, restMs);
				return await rounds(
					pairs,
					{
						ours: async () => await measure(stage, ours, sends, restMs),
						reference: async () => await measure(stage, reference, sends, restMs),
					},
					say,
				);
			};
			const fast = await sides(UNLIMITED);
			const paced = await sides(PACED);
			const reference = 'without rows';
			const more =
				fast.ours.reduce((sum, { cpuMs }, index) => sum + cpuMs - fast.reference[index].cpuMs, 0) /
				pairs;
			return {
				figures: [
					{
						what: 'CPU time of a message',
						reference,
						unit: 'ms',
						pairs: pairUp(fast.ours, fast.reference, ({ cpuMs }) => cpuMs),
					},
					{
						what: 'time of the run, no limit',
						reference,
						unit: 's',
						pairs: pairUp(fast.ours, fast.reference, ({ seconds }) => seconds),
					},
					{
						what: 'time of the run, paced',
						reference,
						unit: 's',
						pairs: pairUp(paced.ours, paced.reference, ({ seconds }) => seconds),
						aim: atMost(1.01),
					},
				],
				facts: [{ what: 'CPU time of a row, mean', value: more, unit: 'ms' }],
			};
		});
	},
};
