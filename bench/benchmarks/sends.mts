import { deliveredOnce } from '../../playground/api/messages.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atMost, pairUp } from '../figures.mts';
import { businessMessaging, httpRequest } from '../senders.mts';
import { publishSending, rowsOf, timeOfSending, type Sending } from '../sending.mts';
import { onStage, type Stage } from '../stage.mts';

const SENDS = 1000;
const WARM_UP_SENDS = 100;
const API_LATENCY_MS = 50;
const CONCURRENCY = 50;

/**
 * n8n's WhatsApp node has a fixed base URL, so it can't be pointed at a local server. Its place takes
 * HTTP Request with batches of one, spaced by the latency of the API, which is one after the other.
 */
const ONE_BY_ONE = {
	options: { batching: { batch: { batchSize: 1, batchInterval: API_LATENCY_MS } } },
};

export const sends: Benchmark = {
	title: `${SENDS} sends, the API answers after ${API_LATENCY_MS} ms, no limit, concurrency ${CONCURRENCY}`,
	async run({ pairs, say }) {
		return await onStage({ latencyMs: API_LATENCY_MS, requestsPerWindow: 0 }, async (stage) => {
			const { api, credentials } = stage;
			const expertOptions = { concurrency: CONCURRENCY, requestsPerMinute: 0 };
			const sendings = {
				ours: await publishSending(stage, 'Sends', businessMessaging(credentials, expertOptions)),
				atOnce: await publishSending(stage, 'At once', httpRequest(credentials, api.url)),
				oneByOne: await publishSending(
					stage,
					'One by one',
					httpRequest(credentials, api.url, ONE_BY_ONE),
				),
			};
			for (const sending of Object.values(sendings)) await timed(stage, sending, WARM_UP_SENDS);
			const times = await rounds(
				pairs,
				{
					ours: async () => await timed(stage, sendings.ours, SENDS),
					atOnce: async () => await timed(stage, sendings.atOnce, SENDS),
					oneByOne: async () => await timed(stage, sendings.oneByOne, SENDS),
				},
				say,
			);
			const figure = { what: "the node's time", unit: 'ms' };
			const ms = (time: number) => time;
			return {
				figures: [
					{
						...figure,
						reference: 'HTTP Request, all at once',
						pairs: pairUp(times.ours, times.atOnce, ms),
						aim: atMost(1),
					},
					{
						...figure,
						reference: 'HTTP Request, one by one',
						pairs: pairUp(times.ours, times.oneByOne, ms),
						aim: atMost(0.1),
					},
				],
			};
		});
	},
};

async function timed(stage: Stage, sending: Sending, count: number): Promise<number> {
	stage.api.messages.clear();
	const time = await timeOfSending(stage, sending, rowsOf(count));
	const delivered = deliveredOnce(stage.api.messages);
	if (delivered !== count) throw new Error(`${delivered} of ${count} messages were delivered.`);
	return time;
}
