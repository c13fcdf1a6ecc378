import { randomUUID } from 'node:crypto';
import { eventually } from '../../../playground/eventually.mts';
import { saveAccount } from '../../../playground/n8n/account.mts';
import { chain } from '../../../playground/n8n/chain.mts';
import { publish } from '../../../playground/n8n/publish.mts';
import type { Execution } from '../../../playground/n8n/rest/executions.mts';
import { ACTION, CREDENTIAL } from '../../../playground/n8n/typeNames.mts';
import { inTheirFields } from '../../support/inTheirFields.mts';
import { runOnce } from '../../support/manualRun.mts';
import type { N8nUnderTest } from '../../support/n8nUnderTest.mts';
import { ROWS, webhookNode } from '../../support/nativeNodes.mts';
import { postJson } from '../../support/postJson.mts';
import { OPTIONS, type Chosen } from './factors.mts';
import { startFaultyApi } from './faultyApi.mts';
import { Judge } from './judge.mts';
import { MORE, rowsOf } from './rows.mts';

const NODE = 'Send';

/** A run hangs if it takes longer, also on a busy machine. */
const LONGEST_MS = 180_000;

/** Runs a workflow with these options, and its Retries. @returns the promises that were broken */
export async function play(n8n: N8nUnderTest, chosen: Chosen, run: string, random: () => number) {
	const { before, rows } = rowsOf(MORE[chosen.more], run, random);
	const api = await startFaultyApi(rows);
	const judge = new Judge(chosen, before, rows, api);
	try {
		for (const { phone } of rows.filter(({ hasWritten }) => hasWritten)) {
			await api.api.customerWrites(phone, 'Hello');
		}
		const begin = await ready(n8n, chosen, api.url);
		if (chosen.frequencyCap ?? chosen.sendOnceKey) await begin(before);
		const failed = judge.judge([await begin(rows)]);
		if (failed) await retry(n8n, chosen, failed, judge);
	} catch (error) {
		judge.broken.push(`It comes to its end: ${String(error)}`);
	} finally {
		await api.close();
	}
	return judge.broken;
}

/** Saves the workflow. @returns runs it once with these rows */
async function ready({ client, url }: N8nUnderTest, chosen: Chosen, baseUrl: string) {
	const { variablesInput, onError, retryOnFail } = chosen;
	const [category, fallbackCategory = 'utility'] = chosen.category.split(' ');
	const credential = await saveAccount({ client }, `Pairs ${randomUUID()}`, { baseUrl });
	const options = Object.keys(OPTIONS)
		.map((name) => [name, chosen[name as keyof typeof OPTIONS]])
		.filter(([, value]) => value !== undefined);
	const send = {
		type: ACTION,
		credentials: { [CREDENTIAL]: credential },
		parameters: inTheirFields({
			resource: 'message',
			operation: 'sendTemplate',
			to: '={{ $json.to }}',
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
		}),
		onError,
		retryOnFail,
		maxTries: 2,
		waitBetweenTries: 0,
	};
	const isByHand = chosen.begins === 'byHand';
	const name = `Pairs ${randomUUID()}`;
	const workflow = isByHand
		? chain(name, { Rows: { type: 'n8n-nodes-base.manualTrigger' }, [NODE]: send })
		: chain(name, { Hook: webhookNode(), Rows: ROWS, [NODE]: send });
	if (isByHand) {
		return async (rows: object[]) => {
			const pinData = { Rows: rows.map((row) => ({ json: { ...row } })) };
			return await runOnce({ client }, { ...workflow, pinData }, 'Rows', LONGEST_MS);
		};
	}
	const { saved, address } = await publish({ client, url }, workflow);
	return async (rows: object[]) => {
		const [last] = await client.executions.list(saved.id, 1);
		await postJson(address, { rows });
		const ended = async () => {
			const [newest] = await client.executions.list(saved.id, 1);
			const isOver = ['success', 'error'].includes(newest?.status);
			return isOver && newest.id !== last?.id ? newest : undefined;
		};
		return await eventually('the end of the run', ended, LONGEST_MS);
	};
}

/** Until a Retry ends well, at most twice. */
async function retry({ client }: N8nUnderTest, chosen: Chosen, first: Execution, judge: Judge) {
	let failed: Execution | undefined = first;
	for (let time = 1; time <= 2 && failed; time++) {
		const { id, workflowId }: Execution = failed;
		const clicks = chosen.retry === 'twiceAtOnce' && time === 1 ? [1, 2] : [1];
		const withSaved = chosen.retry === 'withSavedWorkflow';
		const click = async () => await client.executions.retry(id, withSaved);
		const ids = (await Promise.all(clicks.map(click))).map((each) => each.id);
		const all: Execution[] = await client.executions.list(workflowId);
		failed = judge.judge(all.filter((each) => ids.includes(each.id)));
	}
}
