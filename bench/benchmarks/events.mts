import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { rounds, type Benchmark, type Fact } from '../benchmark.mts';
import { eventFacts, eventFigure, eventSides, type EventSamples } from '../eventSides.mts';
import { atLeast, atMost, type Aim, type Figure } from '../figures.mts';
import { cpuSecondsOf } from '../processUsage.mts';
import { chosenOnly } from '../receivers.mts';
import { businessMessaging, httpRequest, templateText } from '../senders.mts';
import { LAZY_ACQUIRE, onStage, type Stage } from '../stage.mts';

const EVENTS = 100;
const WARM_UP_EVENTS = 150;
const AT_ONCE = 10;
const SENDERS = 3;

export const events: Benchmark = {
	title: `${EVENTS} events, ${AT_ONCE} at a time, in one process, without and with ${LAZY_ACQUIRE}, and then with ${SENDERS} nodes more`,
	async run({ pairs, say }) {
		const figures: Figure[] = [];
		const facts: Fact[] = [];
		for (const lazy of ['false', 'true']) {
			const setting = `${LAZY_ACQUIRE}=${lazy}`;
			say(`  ${setting}`);
			const samples = await measure(pairs, { [LAZY_ACQUIRE]: lazy }, say);
			figures.push(...compare(samples, setting, (aim) => (lazy === 'true' ? aim : undefined)));
			facts.push(...eventFacts(samples, 'cpuMs', `CPU time of an event, ${setting}`));
		}
		const title = `with ${SENDERS} sending nodes`;
		say(`  ${title}`);
		const samples = await measure(pairs, { [LAZY_ACQUIRE]: 'true' }, say, idleSenders);
		figures.push(...compare(samples, title, () => undefined));
		facts.push(...eventFacts(samples, 'cpuMs', `CPU time of an event, ${title}`));
		return { figures, facts };
	},
};

async function measure(
	pairs: number,
	env: Record<string, string>,
	say: (line: string) => void,
	behind: (stage: Stage) => Parameters<typeof eventSides>[3] = () => undefined,
): Promise<EventSamples> {
	return await onStage(
		{},
		async (stage) => {
			const { n8n, credentials } = stage;
			const load = {
				events: EVENTS,
				warmUpEvents: WARM_UP_EVENTS,
				atOnce: AT_ONCE,
				cpuSeconds: () => cpuSecondsOf([n8n.pid]),
			};
			const sides = await eventSides(n8n, credentials, load, behind(stage));
			return await rounds(pairs, sides, say);
		},
		env,
	);
}

/** Senders that no event reaches: n8n computes the parameters of each node of a workflow for each event. */
function idleSenders({ api, credentials }: Stage) {
	const behindIf = (sender: NodeSettings) => ({
		Never: chosenOnly('if', 'never'),
		...Object.fromEntries(
			Array.from({ length: SENDERS }, (_, index) => [`Sender ${index + 1}`, sender]),
		),
	});
	return {
		ours: behindIf(businessMessaging(credentials, {}, templateText('Asha'))),
		theirs: behindIf(httpRequest(credentials, api.url)),
	};
}

/** @param aimOf the aims are for n8n as the README recommends it */
function compare(
	samples: EventSamples,
	setting: string,
	aimOf: (aim: Aim) => Aim | undefined,
): Figure[] {
	const accepted = (measured: 'answered' | 'finished' | 'cpuMs', what: string, aim?: Aim) =>
		eventFigure(samples, 'accepted', measured, `${what}, ${setting}`, aim && aimOf(aim));
	const notChosen = (measured: 'answered' | 'cpuMs', what: string, aim: Aim) =>
		eventFigure(samples, 'notChosen', measured, `${what}, ${setting}`, aimOf(aim));
	return [
		accepted('answered', 'accepted events a second', atLeast(0.9)),
		accepted('finished', 'the same, until all executions are over'),
		accepted('cpuMs', 'CPU time of an accepted event', atMost(1.1)),
		notChosen('answered', 'not chosen events a second', atLeast(2)),
		notChosen('cpuMs', 'CPU time of an event that is not chosen', atMost(0.3)),
	];
}
