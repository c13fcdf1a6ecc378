import { startLocalApi } from '../../playground/api/server.ts';
import { startCluster } from '../../playground/cluster/cluster.ts';
import { rounds, type Benchmark, type Fact } from '../benchmark.ts';
import { eventFacts, eventFigure, eventSides, type EventSamples } from '../eventSides.ts';
import type { Figure } from '../figures.ts';
import { usageOf } from '../processUsage.ts';
import { saveCredentials } from '../stage.ts';

/** Webhook processes, and as many workers. */
const SIZES = [1, 2, 4];
const CONCURRENCY = 10;
const EVENTS = 200;
const AT_ONCE = 20;

export const cluster: Benchmark = {
	title: `${EVENTS} events, ${AT_ONCE} at a time, in queue mode with ${SIZES.join(', ')} webhook processes and as many workers`,
	async run({ pairs, tarball, say }) {
		const figures: Figure[] = [];
		const facts: Fact[] = [];
		for (const size of SIZES) {
			say(`  ${size} webhook processes and ${size} workers`);
			const samples = await measure(pairs, size, tarball, say);
			const figure = (side: 'accepted' | 'notChosen', what: 'answered' | 'finished' | 'cpuMs') =>
				figures.push(eventFigure(samples, side, what, `${size} of each: ${side}, ${what}`));
			figure('accepted', 'answered');
			figure('accepted', 'finished');
			figure('accepted', 'cpuMs');
			figure('notChosen', 'answered');
			figure('notChosen', 'cpuMs');
			facts.push(
				...eventFacts(samples, 'answered', `${size} of each, answered`),
				...eventFacts(samples, 'finished', `${size} of each, all have run`),
				...eventFacts(samples, 'cpuMs', `${size} of each, CPU of the webhook processes`),
			);
		}
		return { figures, facts };
	},
};

async function measure(
	pairs: number,
	size: number,
	tarball: string,
	say: (line: string) => void,
): Promise<EventSamples> {
	const api = await startLocalApi({ recordCalls: false });
	const n8n = await startCluster({
		tarball,
		webhookProcesses: size,
		workers: size,
		concurrency: CONCURRENCY,
	});
	try {
		const sides = await eventSides(n8n, await saveCredentials(n8n.client, api.url), {
			events: EVENTS,
			warmUpEvents: AT_ONCE * size,
			atOnce: AT_ONCE,
			cpuSeconds: () => n8n.webhooks.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0),
		});
		return await rounds(pairs, sides, say);
	} finally {
		await n8n.stop();
		await api.close();
	}
}
