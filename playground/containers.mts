import './demo/inProjectFolder.mts';
import { play } from './demo/play.mts';
import { connect } from './n8n/client.mts';
import { untilReady } from './n8n/process.mts';
import { owner } from './n8n/rest/session.mts';
import { setUp } from './n8n/setUp.mts';
import { parseParameters } from './parameters.mts';

const USAGE = `node playground/containers.mts [-- options]: the demo in an n8n and a local API that run already

  --n8n <url>       n8n's main process
  --webhooks <url>  where n8n is called, by the customer's browser as well (the same)
  --api <url>       the local API`;

try {
	const address = { type: 'string', default: '' } as const;
	const options = { n8n: address, webhooks: address, api: address };
	const { n8n: main, webhooks, api } = parseParameters({ options }, USAGE).values;
	const url = webhooks || main;
	console.log('Waiting for n8n …');
	await untilReady(main, 'start');
	await untilReady(url, 'webhook');
	const scene = await setUp({ url, client: await connect(main) }, { url: api });
	await play(scene, console.log);
	console.log(`\nThe editor is at ${url}: log in as ${owner.email}, password ${owner.password}`);
} catch (error) {
	console.error(error);
	process.exitCode = 1;
}
