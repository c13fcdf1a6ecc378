import { startLocalApi } from '../../playground/api/server.mts';
import { startCluster } from '../../playground/cluster/cluster.mts';
import { rounds, type Benchmark, type Fact } from '../benchmark.mts';
import { eventFacts, eventFigure, eventSides, type EventSamples } from '../eventSides.mts';
import { atLeast, type Aim, type Figure } from '../figures.mts';
import { cpuSecondsOf } from '../processUsage.mts';
import { saveCredentials } from '../stage.mts';

interface Shape {
	/** Webhook processes, and as many workers. */
	size: number;
	/** Executions at a time in each worker; 10 is n8n's default. */
	concurrency: number;
}

const SHAPES: Shape[] = [
	{ size: 1, concurrency: 10 },
	{ size: 2, concurrency: 10 },
	{ size: 4, concurrency: 10 },
	{ size: 2, concurrency: 40 },
];
const EVENTS = 200;
const AT_ONCE = 20;
/** Of each process: until then its code is being compiled. */
const WARM_UP_EVENTS = 100;

export const cluster: Benchmark = {
	title: `${EVENTS} events, ${AT_ONCE} at a time, in queue mode by its number of processes`,
	async run({ pairs, tarball, say }) {
		const figures: Figure[] = [];
		const facts: Fact[] = [];
		for (const shape of SHAPES) {
			const name = nameOf(shape);
			say(`  ${name}`);
			const samples = await measure(pairs, shape, tarball, say);
			const figure = (
				side: 'accepted' | 'notChosen',
				what: 'answered' | 'finished' | 'cpuMs',
				aim?: Aim,
			) => figures.push(eventFigure(samples, side, what, `${name}: ${side}, ${what}`, aim));
			figure('accepted', 'answered');
			figure('accepted', 'finished', atLeast(0.9));
			figure('accepted', 'cpuMs');
			figure('notChosen', 'answered');
			figure('notChosen', 'cpuMs');
			facts.push(
				...eventFacts(samples, 'answered', `${name}, answered`),
				...eventFacts(samples, 'finished', `${name}, all have run`),
				...eventFacts(samples, 'cpuMs', `${name}, CPU of the webhook processes and workers`),
			);
		}
		return { figures, facts };
	},
};

function nameOf({ size, concurrency }: Shape): string {
	return `webhook processes and workers: ${size} each, concurrency ${concurrency}`;
}

async function measure(
	pairs: number,
	{ size, concurrency }: Shape,
	tarball: string,
	say: (line: string) => void,
): Promise<EventSamples> {
	const api = await startLocalApi({ recordCalls: false });
	const n8n = await startCluster({
		tarball,
		webhookProcesses: size,
		workers: size,
		concurrency,
	});
	try {
		const sides = await eventSides(n8n, await saveCredentials(n8n.client, api.url), {
			events: EVENTS,
			warmUpEvents: WARM_UP_EVENTS * size,
			atOnce: AT_ONCE,
			cpuSeconds: () => cpuSecondsOf([...n8n.webhooks, ...n8n.workers].map(({ pid }) => pid)),
		});
		return await rounds(pairs, sides, say);
	} finally {
		await n8n.stop();
		await api.close();
	}
}
