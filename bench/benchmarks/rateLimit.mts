import { setTimeout as sleep } from 'node:timers/promises';
import { deliveredOnce } from '../../playground/api/messages.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atLeast, atMost } from '../figures.mts';
import { businessMessaging, httpRequest } from '../senders.mts';
import { publishSending, rowsOf, timeOfSending, type Sending } from '../sending.mts';
import { onStage, type Stage } from '../stage.mts';

const SENDS = 180;
const REQUESTS_PER_WINDOW = 60;
/** The API's minute, shortened. */
const WINDOW_MS = 15_000;
/** Two windows have to end before the last third can be sent. */
const LEAST_MS = (SENDS / REQUESTS_PER_WINDOW - 1) * WINDOW_MS;

export const rateLimit: Benchmark = {
	title: `${SENDS} sends, the API takes ${REQUESTS_PER_WINDOW} in a window of ${WINDOW_MS / 1000} s`,
	async run({ pairs, say }) {
		const limits = {
			requestsPerWindow: REQUESTS_PER_WINDOW,
			windowMs: WINDOW_MS,
		};
		return await onStage(limits, async (stage) => {
			const { api, credentials } = stage;
			// Above the limit of the API: its headers alone set the pace, as its window is not a minute.
			const expertOptions = { requestsPerMinute: 6000 };
			const ours = await publishSending(
				stage,
				'Limit',
				businessMessaging(credentials, expertOptions),
			);
			const theirs = await publishSending(stage, 'Limit 2', httpRequest(credentials, api.url));
			const samples = await rounds(
				pairs,
				{
					ours: async () => await inFreshWindow(stage, ours),
					theirs: async () => await inFreshWindow(stage, theirs),
				},
				say,
			);
			return {
				figures: [
					{
						what: "the node's time",
						reference: 'the least that the limit allows',
						unit: 'ms',
						pairs: samples.ours.map(({ ms }) => ({ ours: ms, reference: LEAST_MS })),
						aim: atMost(1.02),
					},
					{
						what: 'messages delivered exactly once',
						reference: `all ${SENDS}`,
						unit: 'messages',
						pairs: samples.ours.map(({ delivered }) => ({ ours: delivered, reference: SENDS })),
						aim: atLeast(1),
					},
					{
						what: 'for comparison: delivered by HTTP Request',
						reference: `all ${SENDS}`,
						unit: 'messages',
						pairs: samples.theirs.map(({ delivered }) => ({ ours: delivered, reference: SENDS })),
					},
				],
			};
		});
	},
};

async function inFreshWindow(stage: Stage, sending: Sending) {
	await sleep(WINDOW_MS);
	stage.api.messages.clear();
	const ms = await timeOfSending(stage, sending, rowsOf(SENDS));
	return { ms, delivered: deliveredOnce(stage.api.messages) };
}
