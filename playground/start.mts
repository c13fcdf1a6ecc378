import './demo/inProjectFolder.mts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalApi } from './api/server.mts';
import { claim } from './demo/alone.mts';
import { openPhone } from './demo/openPhone.mts';
import { readOptions, USAGE, type DemoOptions } from './demo/options.mts';
import { play } from './demo/play.mts';
import { RELOADING, rebuildOnChange } from './demo/rebuild.mts';
import { createShutdown } from './demo/shutdown.mts';
import { cacheFolder } from './folders.mts';
import { installCommunityPackage } from './n8n/communityPackage.mts';
import { installN8n } from './n8n/install.mts';
import { owner } from './n8n/rest/session.mts';
import { setUp, type Scene } from './n8n/setUp.mts';
import { startN8n } from './n8n/start.mts';
import { packPackage } from './n8n/tarball.mts';
import { freePort, preferredPort } from './ports.mts';
import { asSetupProblem, SetupProblem } from './setupProblem.mts';

const EDITOR_PORT = 5678;
const API_PORT = 4010;

const say = (line: string) => console.log(line);
const shutdown = createShutdown(say);

async function demo({ once, play: plays, watch, port }: DemoOptions) {
	const userFolder = join(cacheFolder, 'demo');
	mkdirSync(userFolder, { recursive: true });
	shutdown.add(claim(userFolder).release);
	shutdown.onSignal();

	const editorPort = await portOfEditor(port);
	const apiPort = await preferredPort(API_PORT, 'the local API', say);
	await installN8n(say);
	const installed = await installCommunityPackage(userFolder, await packPackage(say));

	say('Starting the local API and n8n …');
	const api = await startLocalApi({ port: apiPort, readAfterMs: 1000 });
	shutdown.add(api.close);
	const env = watch ? RELOADING : undefined;
	const n8n = await startN8n({ userFolder, port: editorPort, env });
	shutdown.add(n8n.stop);
	void n8n.died.then(async (sentence) => {
		if (!shutdown.isStopping()) await fail(new SetupProblem(sentence));
	});

	say('Setting up the credential, the Data Table and the workflows …');
	const scene = await setUp(n8n, api);
	say('The workflows are published and answer.');
	if (!once) openPhone(api.url);
	if (plays) await play(scene, say);
	if (once) return await shutdown.stop();
	say(byHand(scene, n8n.logFile));
	if (watch) shutdown.add(rebuildOnChange(installed));
}

/** How to go on without the demo's own customer. */
function byHand({ n8n, api, tableId, question }: Scene, logFile: string): string {
	return `
Write as the customer: ${api.url}
  With curl instead:   ${api.url}/help
Be asked a question:   ${question.address}

The editor:            ${n8n.url}
  Log in as:           ${owner.email}, password ${owner.password}
  The CRM table:       ${n8n.client.dataTables.url(tableId)}
  n8n's log:           ${logFile}

Ctrl-C stops everything.`;
}

async function portOfEditor(wanted: number | undefined) {
	if (wanted === undefined) return await preferredPort(EDITOR_PORT, 'the editor', say);
	if (await freePort(wanted)) return wanted;
	throw new SetupProblem(`Port ${wanted} is in use: stop what listens there, or choose another.`);
}

async function fail(error: unknown) {
	const problem = asSetupProblem(error);
	console.error(problem ? problem.message : error);
	await shutdown.stop();
	process.exit(1);
}

try {
	const options = readOptions(process.argv.slice(2));
	if (options === 'help') say(USAGE);
	else await demo(options);
} catch (error) {
	await fail(error);
}
