import { randomUUID } from 'node:crypto';
import { startLocalApi } from '../../../playground/api/server.mts';
import { eventually } from '../../../playground/eventually.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { publish } from '../../../playground/n8n/publish.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { sendingEach } from '../../support/actionWorkflow.mts';
import { retry } from '../../support/executionRetry.mts';
import { runOnce } from '../../support/manualRun.mts';
import type { N8nUnderTest } from '../../support/n8nUnderTest.mts';
import { ROWS, webhookNode } from '../../support/nativeNodes.mts';
import { postJson } from '../../support/postJson.mts';
import { OPTIONS, type Chosen } from './factors.mts';
import { Judge } from './judge.mts';
import { MORE, rowsOf } from './rows.mts';

const NODE = 'Business Messaging';

/** A run hangs if it takes longer, also on a busy machine. */
const LONGEST_MS = 180_000;

/** Runs a workflow with these options, and up to two Retries. @returns the promises that were broken */
export async function play(n8n: N8nUnderTest, chosen: Chosen, run: string, random: () => number) {
	const { before, rows } = rowsOf(MORE[chosen.more], run, random);
	const course = { deliveredAfterMs: 200, readAfterMs: 200 };
	const api = await startLocalApi({ requestsPerWindow: 0, ...course });
	const judge = new Judge(chosen, before, rows, api);
	try {
		for (const { phone } of rows.filter(({ hasWritten }) => hasWritten)) {
			await api.customerWrites(phone, 'Hello');
		}
		const begin = await ready(n8n, chosen, api.url);
		if (chosen.frequencyCap ?? chosen.sendOnceKey) await begin(before);
		api.settings.failNext = [...chosen.failsFirst];
		let last = await begin(rows);
		judge.judge(last);
		for (let time = 1; time <= 2 && last.status === 'error'; time++) {
			last = await retry(n8n, last, chosen.retry === 'withSavedWorkflow');
			judge.judge(last);
		}
	} catch (error) {
		judge.broken.push(`It comes to its end: ${String(error)}`);
	} finally {
		await api.close();
	}
	return judge.broken;
}

/** Saves the workflow. @returns runs it once with these rows */
async function ready(n8n: N8nUnderTest, chosen: Chosen, baseUrl: string) {
	const { variablesInput, onError, retryOnFail } = chosen;
	const [category, fallbackCategory = 'utility'] = chosen.category.split(' ');
	const name = `Pairs ${randomUUID()}`;
	const credential = await saveAccount(n8n, name, { baseUrl });
	const options = Object.keys(OPTIONS)
		.map((option) => [option, chosen[option as keyof typeof OPTIONS]])
		.filter(([, value]) => value !== undefined);
	const parameters = {
		templateName: 'pairs',
		category,
		fallbackCategory,
		variablesInput,
		customerLastMessageAt: '={{ $json.lastMessageAt }}',
		templateText: 'This is {{1}}, which has {{2}}.',
		variable1: '={{ $json.tag }}',
		variable2: '={{ $json.value }}',
		variablesJson: '={{ ({ 1: $json.tag, 2: $json.value }) }}',
		options: Object.fromEntries(options) as Record<string, unknown>,
	};
	const settings = { onError, retryOnFail, maxTries: 2, waitBetweenTries: 0 };
	const [start, action] = sendingEach(credential, [], parameters, settings).nodes;
	if (chosen.begins === 'byHand') {
		const workflow = chain(name, { Rows: { ...start, name: 'Rows' }, [NODE]: action });
		return async (rows: object[]) => {
			const pinData = { Rows: rows.map((row) => ({ json: { ...row } })) };
			return await runOnce(n8n, { ...workflow, pinData }, 'Rows', LONGEST_MS);
		};
	}
	const workflow = chain(name, { Hook: webhookNode(), Rows: ROWS, [NODE]: action });
	const { saved, address } = await publish(n8n, workflow);
	const newest = async (): Promise<Execution | undefined> =>
		(await n8n.client.executions.list(saved.id, 1))[0];
	return async (rows: object[]) => {
		const last = await newest();
		await postJson(address, { rows });
		const ended = async () => {
			const run = await newest();
			const isOver = run?.status === 'success' || run?.status === 'error';
			return isOver && run.id !== last?.id ? run : undefined;
		};
		return await eventually('the end of the run', ended, LONGEST_MS);
	};
}
