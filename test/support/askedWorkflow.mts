import { startLocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { Workflow } from '../../playground/n8n/rest/workflows.mts';
import { askingWorkflow } from './askingWorkflow.mts';
import { n8nUnderTest, type N8nUnderTest } from './n8nUnderTest.mts';
import { postJson } from './postJson.mts';
import { linksIn, nextLink } from './questionPage.mts';

const NOT_LISTED = {} as Execution;

/** An account with an API of its own, whose workflows ask questions. */
export async function startAsking(n8n: Pick<N8nUnderTest, 'url' | 'client'>) {
	const api = await startLocalApi();
	const credential = await saveAccount(n8n, 'Asking', { baseUrl: api.url });
	const own = {
		api,
		credential,

		/** Publishes the workflow and starts it. */
		async start(workflow: Workflow, body: object = {}) {
			const { saved, address } = await publish(n8n, workflow);
			await postJson(address, body);
			/** Its newest execution, once it has that status. */
			const run = async (status: Execution['status'], timeoutMs?: number) => {
				const { list, countOf } = n8n.client.executions;
				const isThere = async () => {
					const [execution] = await list(saved.id, 1);
					// n8n 1.x lists no execution that waits, but counts it.
					const waits = status === 'waiting' && (await countOf(saved.id, [status])) > 0;
					return waits || execution?.status === status ? (execution ?? NOT_LISTED) : undefined;
				};
				return await eventually(`the run to be ${status}`, isThere, timeoutMs);
			};
			return { id: saved.id, run };
		},

		/** Asks one question. @returns its link, when the workflow waits */
		async ask(parameters: object = {}, before: Record<string, NodeSettings> = {}) {
			const count = linksIn(api).length + 1;
			const started = await own.start(askingWorkflow(credential, parameters, before));
			const link = await nextLink(api, count);
			await started.run('waiting');
			return { ...started, link };
		},
	};
	return own;
}

export type Asking = Awaited<ReturnType<typeof startAsking>>;

/** For all tests of a file; each begins without messages, and the API must have nothing against what it got. */
export function askingOfFile() {
	const file = {} as Asking & Pick<N8nUnderTest, 'client'>;

	beforeAll(async () => {
		const n8n = await n8nUnderTest();
		Object.assign(file, await startAsking(n8n), { client: n8n.client });
	});

	afterEach(() => {
		expect(file.api.calls.splice(0).flatMap(({ violations }) => violations)).toEqual([]);
		file.api.messages.clear();
	});

	afterAll(async () => await file.api?.close());

	return file;
}
