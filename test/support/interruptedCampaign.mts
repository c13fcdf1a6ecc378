import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { chain, type NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import { type Execution, outputOf } from '../../playground/n8n/rest/executions.mts';
import type { N8nUnderTest } from './n8nUnderTest.mts';
import { CALLED, callNode } from './nativeNodes.mts';
import { postJson } from './postJson.mts';
import { customersOf, messagesByCustomer } from './sendOnceSheet.mts';
import { sendingWorkflow } from './sendingWorkflow.mts';

const IN_PARALLEL = 10;
const REFUSALS = ['retriedBefore', 'notStored'];

type N8n = Pick<N8nUnderTest, 'url' | 'client'>;
export type Campaign = Awaited<ReturnType<typeof beginCampaign>>;

/**
 * A run that sends to so many customers, begun by n8n's Webhook node. Its API answers after 200 ms.
 * `isCalled`: a sub-workflow sends, and the execution is the one of this.
 */
export async function beginCampaign(
	n8n: N8n,
	rows: number,
	settings: object,
	{ isCalled = false } = {},
) {
	const api = await startLocalApi({ requestsPerWindow: 0, latencyMs: 200 });
	const account = await saveAccount(n8n, `Campaign ${randomUUID()}`, { baseUrl: api.url });
	const customers = customersOf(rows);
	const parameters = {
		variablesInput: 'templateText',
		templateText: 'Hi {{1}}, your order is on its way.',
		variable1: '={{ $json.name }}',
		options: { concurrency: IN_PARALLEL, requestsPerMinute: 0 },
	};
	const goesOn = { onError: 'continueRegularOutput' } as const;
	const [Hook, Rows, Send] = sendingWorkflow(account, parameters, goesOn).nodes;
	const named = (nodes: Record<string, NodeSettings>) => {
		const chained = chain(`Campaign ${randomUUID()}`, nodes);
		return { ...chained, settings: { ...chained.settings, ...settings } };
	};
	async function publishCalled() {
		const saved = await n8n.client.workflows.save(named({ Called: CALLED, Send }));
		await n8n.client.workflows.publish(saved);
		return saved;
	}
	const called = isCalled ? await publishCalled() : undefined;
	const begun = named({ Hook, Rows, ...(called ? { Call: callNode(called.id) } : { Send }) });
	const { saved: begins, address } = await publish(n8n, begun);
	const saved = called ?? begins;
	await postJson(address, { rows: customers.map((to) => ({ to, name: 'Asha' })) });
	const first = await eventually(
		'the run',
		async () => await n8n.client.executions.running(saved.id),
	);

	/** What an execution tells of its customers. `unknown`: without those of a Retry that is refused. */
	function toldBy(execution: Execution) {
		const items = outputOf(execution, 'Send');
		expect(items).toHaveLength(rows);
		const those = (isOne: (json: (typeof items)[number]) => unknown) =>
			customers.filter((_, index) => isOne(items[index]));
		const errorOf = ({ error }: (typeof items)[number]) =>
			(error ?? {}) as { code?: string; outcome?: string };
		const refused = those((item) => REFUSALS.includes(errorOf(item).code ?? ''));
		const unknown = those((item) => errorOf(item).outcome === 'unknown');
		return {
			sent: those(({ message_id: id }) => id),
			sentBefore: those(({ sentBefore }) => sentBefore),
			unknown: unknown.filter((to) => !refused.includes(to)),
			refused,
		};
	}

	return {
		api,
		workflowId: saved.id,
		/** Presses Retry at the execution that was begun. */
		async retry({ client }: N8n) {
			const retried = await client.executions.retry(String(first));
			const found = await eventually('the end of the Retry', async () => {
				const all = await client.executions.list(saved.id);
				// In queue mode it is new until a worker takes it.
				const hasEnded = ({ status }: Execution) => !['new', 'running'].includes(status);
				return all.find((each) => each.id === retried.id && hasEnded(each));
			});
			return toldBy(found);
		},
		/** Nobody has two messages, and who has none is told so. */
		assertTold({ sent, sentBefore, unknown }: ReturnType<typeof toldBy>): void {
			const counts = messagesByCustomer(api);
			expect(Math.max(...counts.values())).toBe(1);
			expect(sent.length + sentBefore.length + unknown.length).toBe(rows);
			// When n8n was killed, only these were in flight.
			expect(unknown.length).toBeLessThanOrEqual(2 * IN_PARALLEL);
			for (const to of [...sent, ...sentBefore]) expect([to, counts.get(to)]).toEqual([to, 1]);
			process.stdout.write(
				`${rows} customers: ${sent.length} sent now, ${sentBefore.length} before, ${unknown.length} unknown\n`,
			);
		},
		close: api.close,
	};
}
