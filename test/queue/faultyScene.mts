import type { EmitOptions } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { EVENTS, measure, sceneOfFile } from './measure.mts';
import type { Pace, SentEvent } from './scene.mts';

export const between = (least: number, most: number) => least + Math.random() * (most - least);

/** One to three, 0 to 5 s apart, whether the one before has been answered or not. */
export function copiesApart(index: number): EmitOptions {
	const copies = 1 + (index % 3);
	return { copies, overlapping: true, pauseMs: between(0, 5000) / Math.max(1, copies - 1) };
}

export const once = () => ({});
export const threeAtOnce = () => ({ copies: 3, overlapping: true });

/** What happens while events are sent. */
export type Conditions = (sending: Promise<SentEvent[]>) => Promise<SentEvent[]>;

/** A scene for all tests of a file, and how the trigger fares in it when something is at fault. */
export function faultyScene() {
	const scene = sceneOfFile();
	return {
		scene,
		async measureUnder(
			conditions: Conditions,
			proof: string,
			copies: (index: number) => EmitOptions = copiesApart,
			pace: Pace = { eventsAtATime: 10 },
		) {
			return await measure(scene(), proof, async (events) => {
				const sent = await conditions(scene().send(events, copies, pace));
				await scene().findOrphans();
				return sent;
			});
		},
		/** While most events are still to run, however fast this machine is. */
		underLoad:
			(fault: () => Promise<unknown>): Conditions =>
			async (sending) => {
				const { runs } = scene();
				const enough = runs.size + EVENTS / 10;
				await eventually('the first runs', () => runs.size >= enough);
				await fault();
				return await sending;
			},
	};
}
