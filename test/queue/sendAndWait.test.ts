import { startCluster, type Cluster } from '../../playground/cluster/cluster.ts';
import { installN8n } from '../../playground/n8n/install.ts';
import { outputOf } from '../../playground/n8n/rest/executions.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';
import { startAsking, type Asking } from '../support/askedWorkflow.ts';
import { answer, look } from '../support/questionPage.ts';

jest.setTimeout(300_000);

let cluster: Cluster;
let asking: Asking;

beforeAll(async () => {
	await installN8n();
	cluster = await startCluster({
		tarball: await packPackage(),
		webhookProcesses: 2,
		workers: 2,
		concurrency: 5,
	});
	asking = await startAsking({ url: cluster.url, client: cluster.client });
});

afterAll(async () => {
	await cluster?.stop();
	await asking?.api.close();
});

/** As the proxy in front of them would get it. */
function at(url: string, link: string) {
	const { pathname, search } = new URL(link);
	return url + pathname + search;
}

// README, Scaling: questions in queue mode
it('an answer reaches another process than the question, and of several at once one counts', async () => {
	const { link, run } = await asking.ask();
	const [one, other] = cluster.webhooks.map(({ url }) => at(url, link));
	expect((await look(one)).html).toContain('May we deliver on Friday?');
	const pages = await Promise.all(
		[one, other, one, other].map((each, index) => answer(each, { choice: String(index % 2) })),
	);
	expect(pages.map(({ status }) => status)).not.toContain(500);
	const thanked = pages.filter(({ heading }) => heading === 'Thank you');
	const execution = await run('success');
	const [{ approved }] = outputOf(execution, 'After');
	expect(thanked.length).toBeGreaterThan(0);
	for (const { html } of thanked) expect(html).toContain(approved ? 'Approve' : 'Decline');
	expect(asking.api.calls).toHaveLength(1);
});

it('a question in queue mode ends when its time is over', async () => {
	const { run } = await asking.ask({ limitWaitTime: 15, limitWaitTimeUnit: 'seconds' });
	const execution = await run('success', 120_000);
	expect(outputOf(execution, 'After')).toMatchObject([{ timedOut: true }]);
});
