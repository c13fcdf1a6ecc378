import type { LocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { installN8n } from '../../playground/n8n/install.mts';
import { publish } from '../../playground/n8n/publish.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { postJson } from '../support/postJson.mts';
import { newUserFolder, recipientsOf, start, startApi, store } from './fixture.mts';
import {
	customer,
	EVENTS,
	type Facts,
	QUESTIONS,
	rowsOf,
	type Scene,
	workflowsOf,
} from './scenes.mts';

/**
 * Makes the fixture of a version: an n8n whose database has everything that the nodes store, as that version stores it.
 * `npm run e2e:upgrade:make 0.1.0 [package.tgz]`; without a package it packs this one.
 */
const [version, tarball] = process.argv.slice(2);
if (!version) throw new Error('Name the version: npm run e2e:upgrade:make 0.1.0');

/** Until a run is in its middle. */
const SENT_BY_THEN = 5;

async function make(api: LocalApi): Promise<void> {
	const userFolder = await newUserFolder('make', tarball ?? (await packPackage()));
	const n8n = await start(userFolder);
	const { executions } = n8n.client;
	const credential = await saveAccount(n8n, 'Upgrade', { baseUrl: api.url });
	const workflows: Facts['workflows'] = {};
	for (const [name, workflow] of Object.entries(workflowsOf(credential))) {
		const { saved, address } = await publish(n8n, workflow);
		workflows[name] = { id: saved.id, path: new URL(address).pathname };
	}
	const post = async (name: string, body: object) =>
		await postJson(n8n.url + workflows[name].path, body);
	const begin = async (scene: Scene) => await post(scene, { rows: rowsOf(scene) });
	const became = async (name: string, status: Execution['status'], count = 1) => {
		const isThere = async () => (await executions.countOf(workflows[name].id, [status])) >= count;
		await eventually(`${name}: ${status}`, isThere, 60_000);
	};
	const isInItsMiddle = async (scene: Scene) => {
		const ofScene = rowsOf(scene).map(({ to }) => to);
		const sent = () => ofScene.filter((to) => recipientsOf(api).includes(to)).length;
		await eventually(`the middle of ${scene}`, () => sent() >= SENT_BY_THEN);
	};

	await begin('Failed');
	await isInItsMiddle('Failed');
	api.settings.failNext.push(131026);
	await became('Failed', 'error');
	for (const scene of ['Keys', 'Capped', 'Options'] as const) {
		await begin(scene);
		await became(scene, 'success');
	}
	for (const event of EVENTS) await post('Events', event);
	await became('Events', 'success', EVENTS.length);
	const questions: Facts['questions'] = {};
	for (const kind of Object.keys(QUESTIONS)) {
		await post(kind, {});
		await became(kind, 'waiting');
		const message = [...api.messages.values()].find(({ to }) => to === customer(kind, 0));
		const { pathname, search } = new URL(message?.templateVariables[2] ?? '');
		questions[kind] = pathname + search;
	}
	await begin('Stopped');
	await isInItsMiddle('Stopped');
	await executions.stop(String(await executions.running(workflows.Stopped.id)));
	await became('Stopped', 'canceled');
	await begin('Waiting');
	await became('Waiting', 'waiting');
	await begin('Killed');
	await isInItsMiddle('Killed');
	process.kill(-n8n.pid, 'SIGKILL');
	await n8n.stop();
	store(version, userFolder, {
		madeAt: Date.now(),
		recipients: recipientsOf(api),
		workflows,
		questions,
	});
}

await installN8n();
const api = await startApi();
try {
	await make(api);
} finally {
	await api.close();
}
