import type { NodeSettings } from '../playground/n8n/chain.mts';
import type { N8nClient } from '../playground/n8n/client.mts';
import type { Fact } from './benchmark.mts';
import { median, pairUp, type Aim, type Figure } from './figures.mts';
import {
	businessMessagingTrigger,
	CHOSEN,
	chosenOnly,
	NOT_CHOSEN,
	webhookNode,
} from './receivers.mts';
import { deliver, publishReceiver, type Target } from './receiving.mts';
import type { CredentialIds } from './stage.mts';

/** What is measured with each event: n8n's Webhook node with what it chooses, and with Filter what it does not. */
const REFERENCE = { accepted: 'Webhook', notChosen: 'Webhook and Filter' } as const;
type Ours = keyof typeof REFERENCE;
type Side = Ours | (typeof REFERENCE)[Ours];

export interface Sample {
	/** Events a second until the last answer. */
	answered: number;
	/** Events a second until the end of the last execution. */
	finished: number;
	/** CPU time of an event until then, of all processes that are watched. */
	cpuMs: number;
}

export interface Load {
	events: number;
	/** Not measured: a process loads the nodes with its first event. */
	warmUpEvents: number;
	atOnce: number;
	/** What the watched processes have used until now. */
	cpuSeconds: () => number;
}

/**
 * Publishes the trigger, and n8n's nodes that do the same, and gives what loads each of them.
 * @param behind other nodes of their workflows
 */
export async function eventSides(
	n8n: { url: string; client: N8nClient },
	credentials: CredentialIds,
	{ events, warmUpEvents, atOnce, cpuSeconds }: Load,
	behind: Partial<Record<'ours' | 'theirs', Record<string, NodeSettings>>> = {},
): Promise<Record<Side, () => Promise<Sample>>> {
	const trigger = { Trigger: businessMessagingTrigger(credentials), ...behind.ours };
	const webhook = () => ({ Webhook: webhookNode(credentials) });
	const targets = {
		trigger: await publishReceiver(n8n, 'Trigger', trigger),
		webhook: await publishReceiver(n8n, 'Webhook', { ...webhook(), ...behind.theirs }),
		filtered: await publishReceiver(n8n, 'Filtered', {
			...webhook(),
			Filter: chosenOnly('filter', '={{ $json.body.event }}'),
			...behind.theirs,
		}),
	};
	for (const target of Object.values(targets)) {
		await deliver(n8n.client, target, CHOSEN, warmUpEvents, atOnce);
	}
	const take = async (target: Target, event: string): Promise<Sample> => {
		const before = cpuSeconds();
		const paces = await deliver(n8n.client, target, event, events, atOnce);
		return { ...paces, cpuMs: ((cpuSeconds() - before) * 1000) / events };
	};
	return {
		accepted: async () => await take(targets.trigger, CHOSEN),
		Webhook: async () => await take(targets.webhook, CHOSEN),
		notChosen: async () => await take(targets.trigger, NOT_CHOSEN),
		'Webhook and Filter': async () => await take(targets.filtered, NOT_CHOSEN),
	};
}

export type EventSamples = Record<Side, Sample[]>;

export function eventFigure(
	samples: EventSamples,
	side: Ours,
	measured: keyof Sample,
	what: string,
	aim?: Aim,
): Figure {
	return {
		what,
		reference: REFERENCE[side],
		unit: unitOf(measured),
		pairs: pairUp(samples[side], samples[REFERENCE[side]], (sample) => sample[measured]),
		aim,
	};
}

/** The median of each side. */
export function eventFacts(samples: EventSamples, measured: keyof Sample, what: string): Fact[] {
	return (Object.keys(samples) as Side[]).map((side) => ({
		what: `${what}: ${side}`,
		value: median(samples[side].map((sample) => sample[measured])),
		unit: unitOf(measured),
	}));
}

const unitOf = (measured: keyof Sample) => (measured === 'cpuMs' ? 'ms' : '1/s');
