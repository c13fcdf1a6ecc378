import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { withCredential } from '../../playground/n8n/examples.mts';
import { publish, withToken } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { SavedWorkflow, Workflow } from '../../playground/n8n/rest/workflows.mts';
import { TRIGGER } from '../../playground/n8n/typeNames.mts';
import { freed, imported, triggerOf } from './examples.mts';
import { runOnce } from './manualRun.mts';
import { n8nUnderTest } from './n8nUnderTest.mts';

const WEBHOOK_SECRET = 'secret-of-the-examples';
const SYSTEM_COLUMNS = ['id', 'createdAt', 'updatedAt'];

type Row = Record<string, unknown>;

/** Runs of the examples for a test file, with Data Tables of its own. In each test, the account has no messages yet. */
export function exampleRuns(): () => ExampleRuns {
	let examples: ExampleRuns;
	beforeAll(async () => {
		examples = await start();
	});
	beforeEach(() => {
		examples.api.calls.length = 0;
		examples.api.messages.clear();
	});
	afterAll(async () => {
		const { api, n8n, published } = examples;
		for (const { id } of published) await n8n.client.workflows.unpublish(id);
		await api.close();
	});
	return () => examples;
}

async function start() {
	const n8n = await n8nUnderTest();
	const { dataTables, session, workflows } = n8n.client;
	const api = await startLocalApi({
		deliveredAfterMs: 200,
		readAfterMs: 200,
		// A busy machine is no sender's failure.
		webhookDeadlineMs: 30_000,
	});
	const account = { baseUrl: api.url, webhookSecret: WEBHOOK_SECRET };
	const credential = await saveAccount(n8n, 'Examples', account);
	const published: SavedWorkflow[] = [];
	const ending = ` ${randomUUID()}`;

	return {
		n8n,
		api,
		published,

		/** As a user makes it ready: a credential chosen, and unpinned what n8n and the local API can do. */
		async ready(name: string, ...names: string[]): Promise<Workflow> {
			return freed(withCredential(await imported(name), credential), ending, names);
		},

		/** Fills a Data Table with these rows and no others. They may have the columns that n8n adds, as pinned data has. */
		async fill(table: string, pinned: Row[], columns = Object.keys(pinned[0])): Promise<void> {
			const name = table + ending;
			const own = columns.filter((column) => !SYSTEM_COLUMNS.includes(column));
			const { id: projectId } = await session.call<{ id: string }>('GET', '/projects/personal');
			const tables = `/projects/${projectId}/data-tables`;
			const earlier = await dataTables.find(name);
			if (earlier) await session.call('DELETE', `${tables}/${earlier.id}`);
			const { id } = await dataTables.save(name, own);
			const data = pinned.map((row) => Object.fromEntries(own.map((each) => [each, row[each]])));
			if (data.length > 0) await session.call('POST', `${tables}/${id}/insert`, { data });
		},

		/** The rows of a Data Table; none before a workflow has made it. */
		async rows(table: string) {
			const found = await dataTables.find(table + ending);
			return found ? await dataTables.rows(found.id) : [];
		},

		async run(workflow: Workflow): Promise<Execution> {
			const execution = await runOnce(n8n, workflow, triggerOf(workflow));
			expect(execution.data.resultData.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			return execution;
		},

		/** Publishes a workflow without a URL, until the end of the file. */
		async publish(workflow: Workflow): Promise<{ id: string }> {
			const saved = await workflows.save(workflow);
			await workflows.publish(saved);
			published.push(saved);
			return saved;
		},

		/** Publishes it until the end of the file. What customers do reaches its trigger. */
		async live(workflow: Workflow): Promise<{ id: string; address: string }> {
			const { saved, address } = await publish(n8n, workflow);
			published.push(saved);
			const hears = workflow.nodes.some(({ type }) => type === TRIGGER);
			if (hears) api.webhookUrls.push(withToken(address, WEBHOOK_SECRET));
			return { id: saved.id, address };
		},

		/** The bodies of the sends, and the messages that were looked up. */
		calls() {
			expect(api.calls.flatMap(({ violations }) => violations)).toEqual([]);
			const lookUps = api.calls.filter(({ method }) => method === 'GET');
			return {
				sent: api.calls.flatMap(({ method, body }) => (method === 'POST' ? [body] : [])),
				lookedUp: [...new Set(lookUps.map(({ path }) => path.split('/').at(-1)))],
			};
		},

		/** A message that the pinned data speaks of, as if it had been sent earlier. */
		sentEarlier(messageId: string, to: string, templateName: string, course: object) {
			const sentAt = Date.now() - 60_000;
			const [{ account }] = api.settings.apiKeys;
			const fixed = { account, category: 'utility', amount: 0.115, sentAt } as const;
			const message = { messageId, to, templateName, templateVariables: {}, ...fixed, ...course };
			api.messages.set(messageId, message);
		},
	};
}

type ExampleRuns = Awaited<ReturnType<typeof start>>;

/** The body of a send. */
export function send(
	to: string,
	templateName: string,
	templateVariables: Record<string, unknown>,
	category = 'utility',
) {
	return { to, type: 'template', templateName, templateVariables, category };
}
