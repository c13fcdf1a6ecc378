import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { sendingEach } from './actionWorkflow.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';
import { ROWS as AN_ITEM_EACH, webhookNode } from './nativeNodes.mts';
import { postJson } from './postJson.mts';
import { customersOf, messagesByCustomer } from './sendOnceSheet.mts';

const NODE = 'Business Messaging';
const IN_PARALLEL = 10;

type N8n = Pick<N8nUnderTest, 'url' | 'client'>;
export type Campaign = Awaited<ReturnType<typeof beginCampaign>>;

/** What an execution tells of its customers. */
interface Told {
	sent: string[];
	sentBefore: string[];
	unknown: string[];
	notSent: string[];
	hint?: string;
}

/** A run that sends to so many customers, begun by n8n's Webhook node. Its API answers after 200 ms. */
export async function beginCampaign(n8n: N8n, rows: number, settings: object) {
	const api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 200 });
	const account = await saveAccount(n8n, `Campaign ${randomUUID()}`, { baseUrl: api.url });
	const options = { concurrency: IN_PARALLEL, requestsPerMinute: 0 };
	const onError = { onError: 'continueRegularOutput' as const };
	const [, action] = sendingEach(account, [], { options }, onError).nodes;
	const nodes = { Hook: webhookNode(), Rows: AN_ITEM_EACH, [NODE]: action };
	const chained = chain(`Campaign ${randomUUID()}`, nodes);
	const workflow = { ...chained, settings: { ...chained.settings, ...settings } };
	const { saved, address } = await publish(n8n, workflow);
	const customers = customersOf(rows);
	await postJson(address, { rows: customers.map((to) => ({ to })) });
	const first = await eventually(
		'the run',
		async () => await n8n.client.executions.running(saved.id),
	);

	function toldBy({ data }: Execution): Told {
		const [run] = data.resultData.runData[NODE]?.slice(-1) ?? [];
		if (!run)
			throw new Error(`The node did not run: ${JSON.stringify(data.resultData).slice(0, 500)}`);
		const items = (run.data?.main[0] ?? []).map(({ json }) => json);
		const those = (isOne: (json: Record<string, unknown>) => unknown) =>
			customers.filter((_, index) => isOne(items[index]));
		const withOutcome = (outcome: string) =>
			those(({ error }) => (error as { outcome?: string } | undefined)?.outcome === outcome);
		return {
			sent: those(({ message_id: id }) => id),
			sentBefore: those(({ sentBefore }) => sentBefore),
			unknown: withOutcome('unknown'),
			notSent: withOutcome('notSent'),
			hint: run.hints?.[0]?.message,
		};
	}

	return {
		api,
		customers,
		workflowId: saved.id,
		/** The ID of its execution. */
		first: String(first),
		/** Presses Retry at an execution, or at the newest one. */
		async retry({ client }: N8n, id?: string): Promise<Told> {
			const [newest] = await client.executions.list(saved.id, 1);
			const retried = await client.executions.retry(id ?? newest.id);
			const found = await eventually('the end of the Retry', async () => {
				const all = await client.executions.list(saved.id);
				// In queue mode it is new until a worker takes it.
				const hasEnded = ({ status }: Execution) => !['new', 'running'].includes(status);
				return all.find((each) => each.id === retried.id && hasEnded(each));
			});
			return toldBy(found);
		},
		/** Nobody has two messages, and who has none is told so. */
		assertTold({ sent, sentBefore, unknown }: Told, kills: number): void {
			const counts = messagesByCustomer(api);
			expect(Math.max(...counts.values())).toBe(1);
			expect(sent.length + sentBefore.length + unknown.length).toBe(rows);
			expect(unknown.length).toBeLessThanOrEqual(kills * 2 * IN_PARALLEL);
			for (const to of [...sent, ...sentBefore]) expect([to, counts.get(to)]).toEqual([to, 1]);
			process.stdout.write(
				`${rows} customers, killed ${kills} times: ${sent.length} sent now, ${sentBefore.length} before, ${unknown.length} unknown\n`,
			);
		},
		close: async () => await api.close(),
	};
}
