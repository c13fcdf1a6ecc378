import type { DemoScene, DemoWorkflow } from '../api/demo.mts';
import { callApi, type ApiAddress } from '../localApi.mts';
import { saveAccount } from './account.mts';
import { changed, readExample, withCredential } from './examples.mts';
import { saveModel, withModel } from './model.mts';
import { publish, webhookUrl, withToken } from './publish.mts';
import { questionWorkflow } from './question.mts';
import { owner } from './rest/session.mts';
import type { SavedWorkflow, Workflow } from './rest/workflows.mts';
import type { N8n } from './start.mts';
import { TRIGGER } from './typeNames.mts';

const WEBHOOK_SECRET = 'playground-secret';

export const customerTable = {
	name: 'Customers',
	columns: ['submission_id', 'name', 'phone', 'interest'],
};
/** As the example "Stop and start" makes it: the campaign may be run before. */
const optOutTable = { name: 'Opt-outs', columns: ['phone', 'status', 'since', 'word'] };

export interface Scene {
	n8n: Pick<N8n, 'url' | 'client'>;
	api: ApiAddress;
	tableId: string;
	autoReply: SavedWorkflow;
	formToCrm: SavedWorkflow;
	stop: SavedWorkflow;
	campaign: SavedWorkflow;
	agent: SavedWorkflow;
	question: { saved: SavedWorkflow; address: string };
}

/** What a user does by hand: credential, tables, the workflows, the webhook URLs. What is there is updated. */
export async function setUp(n8n: Scene['n8n'], api: ApiAddress): Promise<Scene> {
	const { dataTables, workflows } = n8n.client;
	const credential = await saveAccount(n8n, 'Business Messaging API', {
		baseUrl: api.url,
		webhookSecret: WEBHOOK_SECRET,
	});
	const ready = async (name: string, pinned: string[] = []) =>
		withPins(withCredential(await readExample(name), credential), pinned);
	const published = async (name: string) => (await publish(n8n, await ready(name))).saved;

	const table = await dataTables.save(customerTable.name, customerTable.columns);
	await dataTables.save(optOutTable.name, optOutTable.columns);
	const standIn = { url: `${api.url}/stand-in-model/v1` };
	const model = await saveModel(n8n, standIn, 'No AI: a stand-in for a model');
	const scene = {
		n8n,
		api,
		tableId: table.id,
		autoReply: await published('auto-reply'),
		formToCrm: await published('form-to-crm'),
		stop: await published('stop'),
		campaign: await workflows.save(forThisStart(await ready('campaign', ['Read the customers']))),
		agent: await workflows.save(withModel(await ready('ai-agent', ['Chat']), model)),
		question: await publish(n8n, questionWorkflow(credential)),
	};
	const receivers = [scene.autoReply, scene.formToCrm, scene.stop];
	const urls = receivers.map((saved) => withToken(webhookUrl(n8n.url, saved), WEBHOOK_SECRET));
	await callApi(api, 'PUT', '/webhooks', { urls });
	await callApi(api, 'PUT', '/demo', shown(scene));
	return scene;
}

/** With the pinned data of these nodes only: the others do what they are there for. */
function withPins(workflow: Workflow, names: string[]): Workflow {
	const pins = Object.entries(workflow.pinData ?? {}).filter(([name]) => names.includes(name));
	return { ...workflow, pinData: Object.fromEntries(pins) };
}

/** n8n remembers who got a campaign, but the local API forgets its messages when it ends. */
function forThisStart(campaign: Workflow): Workflow {
	const send = campaign.nodes.find(({ name }) => name === 'Send the offer');
	const sendOnceKey = `summer_offer of ${new Date().toISOString()}`;
	const options = { ...(send?.parameters.options as object), sendOnceKey };
	return changed(campaign, 'Send the offer', { options });
}

/** What the customer's phone says of the workflows. */
function shown({ n8n, autoReply, formToCrm, stop, campaign, agent, question }: Scene): DemoScene {
	const entry = (saved: SavedWorkflow, about: string, link?: DemoWorkflow['link']) => ({
		name: saved.name,
		url: `${n8n.url}/workflow/${saved.id}`,
		about,
		link,
		templates: saved.nodes
			.map(({ parameters }) => parameters.templateName)
			.filter((name) => typeof name === 'string'),
		receiver: saved.nodes.some(({ type }) => type === TRIGGER)
			? webhookUrl(n8n.url, saved)
			: undefined,
	});
	const person = `/?customer=${encodeURIComponent('+12025550111')}`;
	return {
		editor: n8n.url,
		login: `${owner.email}, password ${owner.password}`,
		workflows: [
			entry(autoReply, 'Write a message on the phone.'),
			entry(formToCrm, 'Fill in the form on the phone.'),
			entry(question.saved, 'Open the link in the message.', {
				text: 'Ask me',
				url: question.address,
			}),
			entry(
				campaign,
				'Execute it: each text and the price are shown. Remove Dry Run, and execute it again.',
			),
			entry(
				stop,
				'Write STOP, and execute the campaign: you get no offer. Write START to get them again.',
			),
			entry(
				agent,
				'Execute it: it asks a colleague before it writes to you. Its model is a stand-in, no AI.',
				{ text: "The colleague's phone", url: person },
			),
		],
	};
}
