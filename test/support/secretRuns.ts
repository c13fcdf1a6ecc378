import { saveAccount } from '../../playground/n8n/account.ts';
import { webhookUrl } from '../../playground/n8n/publish.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { actionWorkflow } from './actionWorkflow.ts';
import { closedAddress, MISBEHAVIORS, startFaultServer } from './faultServer.ts';
import { keyEchoes } from './keyEchoes.ts';
import { runOnce } from './manualRun.ts';
import type { N8nUnderTest } from './n8nUnderTest.ts';
import { publishTrigger, type Post } from './publishedTrigger.ts';
import { triggerWorkflow } from './triggerWorkflow.ts';
import { incomingEvent } from './webhookEvents.ts';

export interface Secrets {
	apiKey: string;
	webhookSecret: string;
	previousWebhookSecret: string;
}

const OVER_LIMIT_OF_N8N = 17 * 1024 * 1024;

/** Sends and looks up, with every answer that the fault server knows, as error items and as errors. */
export async function runActions(
	n8n: N8nUnderTest,
	secrets: Secrets,
	to: string,
): Promise<Execution[]> {
	const behaviors = { ...MISBEHAVIORS, ...keyEchoes(secrets.apiKey) };
	const cases = Object.keys(behaviors) as Array<keyof typeof behaviors>;
	const server = await startFaultServer(
		(number) => behaviors[cases.find((name) => isAsked(name, number)) ?? 'sent'],
	);
	const isAsked = (name: string, number: number) =>
		server.received[number].includes(`"${name}"`) ||
		server.requestLines[number].includes(`/${name} `);

	const save = async (baseUrl: string) =>
		await saveAccount(n8n, `Secrets ${baseUrl}`, { baseUrl, ...secrets });
	const credential = await save(server.url);
	const unreachable = await save(await closedAddress());
	const limits = { timeout: 1, requestsPerMinute: 0 };
	const send = { operation: 'sendTemplate', to, variablesInput: 'none' };

	const executions: Execution[] = [];
	const run = async (workflow: Parameters<typeof runOnce>[1]) =>
		executions.push(await runOnce(n8n, workflow));
	for (const templateName of cases) {
		await run(actionWorkflow(credential, { ...send, templateName, options: limits }));
	}
	await run(actionWorkflow(unreachable, { ...send, templateName: 'sent', options: limits }));

	const pinData = { Start: cases.map((name) => ({ json: { name } })) };
	for (const parameters of [
		{ ...send, templateName: '={{ $json.name }}' },
		{ operation: 'getStatus', messageId: '={{ $json.name }}' },
	]) {
		const options = { ...limits, rawResponse: true };
		const workflow = actionWorkflow(credential, { ...parameters, options });
		const nodes = workflow.nodes.map((node) => ({
			...node,
			onError: 'continueRegularOutput' as const,
		}));
		await run({ ...workflow, nodes, pinData });
	}
	await server.close();
	return executions;
}

/** Calls a trigger with right and wrong tokens, in every place and state that a URL can have. */
export async function callTrigger(
	n8n: N8nUnderTest,
	{ webhookSecret, previousWebhookSecret, apiKey }: Secrets,
	text: string,
): Promise<{ executions: Execution[]; statuses: number[] }> {
	const credential = await saveAccount(n8n, 'Secrets of the trigger', {
		apiKey,
		webhookSecret,
		previousWebhookSecret,
	});
	const parameters = {
		events: ['message.incoming'],
		authentication: 'secretToken' as const,
		options: { rawBody: true },
	};
	const trigger = await publishTrigger(n8n, parameters, credential);
	const query = `?token=${webhookSecret}`;
	const event = () => {
		const { data, ...envelope } = incomingEvent();
		return { ...envelope, data: { ...data, text: `${text} ${data.text}` } };
	};
	const body = () => JSON.stringify(event());
	const statuses: number[] = [];
	const posts: Post[] = [
		{ query, body: body() },
		{ headers: { 'x-webhook-token': webhookSecret }, body: body() },
		{ headers: { authorization: `Bearer ${webhookSecret}` }, body: body() },
		{ query: `?token=${previousWebhookSecret}`, body: body() },
		{ query: `?token=${webhookSecret}-wrong`, body: body() },
		{ query: `${query}&token=${previousWebhookSecret}`, body: body() },
		{ query: `?secret=${webhookSecret}`, body: body() },
		{ query, body: 'null' },
		{ query, body: '{' },
		{ query, body: 'x'.repeat(OVER_LIMIT_OF_N8N) },
		{ query, body: JSON.stringify({ ...event(), event: 'message.read' }) },
	];
	for (const post of posts) {
		statuses.push((await trigger.post(post)).status);
	}
	await trigger.expectRuns(4);
	const executions = await n8n.client.executions.list(trigger.id);

	const test = await n8n.client.workflows.save(triggerWorkflow(parameters, credential));
	await n8n.client.workflows.run(test.id, 'Trigger');
	const testUrl = webhookUrl(n8n.url, test).replace('/webhook/', '/webhook-test/') + query;
	for (const method of ['GET', 'POST', 'POST']) {
		const request = method === 'GET' ? { method } : { method, body: body() };
		statuses.push((await fetch(testUrl, request)).status);
	}
	return { executions, statuses };
}
