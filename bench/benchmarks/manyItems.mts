import { deliveredOnce } from '../../playground/api/messages.mts';
import type { NodeSettings } from '../../playground/n8n/chain.mts';
import { rounds, type Benchmark } from '../benchmark.mts';
import { atMost, pairUp } from '../figures.mts';
import { usageOf } from '../processUsage.mts';
import { businessMessaging, httpRequest } from '../senders.mts';
import { publishSending, rowsOf, send } from '../sending.mts';
import { longestSilence } from '../silence.mts';
import { onStage, type Stage } from '../stage.mts';

const CONCURRENCY = 50;

export const manyItems: Benchmark = {
	title: 'many items in one run, an n8n of its own for each run',
	async run({ pairs, items, say }) {
		const expertOptions = { concurrency: CONCURRENCY, requestsPerMinute: 0 };
		const { ours, theirs } = await rounds(
			pairs,
			{
				ours: async () =>
					await measure(items, ({ credentials }) => businessMessaging(credentials, expertOptions)),
				theirs: async () =>
					await measure(items, ({ credentials, api }) => httpRequest(credentials, api.url)),
			},
			say,
		);
		type Sample = (typeof ours)[number];
		const figure = (what: string, unit: string, read: (sample: Sample) => number) => ({
			what: `${what}, ${items} items`,
			reference: 'HTTP Request',
			unit,
			pairs: pairUp(ours, theirs, read),
		});
		return {
			figures: [
				{ ...figure('peak memory of n8n', 'MB', ({ peakMb }) => peakMb), aim: atMost(1) },
				figure('of that, above the idle n8n', 'MB', ({ growthMb }) => growthMb),
				{ ...figure('CPU time of the run', 's', ({ cpuSeconds }) => cpuSeconds), aim: atMost(1) },
				figure('time of the run', 's', ({ seconds }) => seconds),
				figure('longest silence of n8n', 'ms', ({ silenceMs }) => silenceMs),
				figure('messages delivered once', 'messages', ({ delivered }) => delivered),
			],
		};
	},
};

/** The executions are not stored: storing costs both sides the same, and would hide the difference. */
const NOT_STORED = { saveDataSuccessExecution: 'none' };

async function measure(items: number, sender: (stage: Stage) => NodeSettings) {
	return await onStage({ requestsPerWindow: 0 }, async (stage) => {
		const sending = await publishSending(stage, 'Many items', sender(stage), NOT_STORED);
		await send(sending, rowsOf(1));
		stage.api.messages.clear();
		const rows = rowsOf(items);
		const { pid, url } = stage.n8n;
		const before = usageOf(pid);
		const startedAt = performance.now();
		const silenceMs = await longestSilence(url, async () => await send(sending, rows));
		const seconds = (performance.now() - startedAt) / 1000;
		const after = usageOf(pid);
		return {
			peakMb: after.peakResidentMb,
			growthMb: after.peakResidentMb - before.residentMb,
			cpuSeconds: after.cpuSeconds - before.cpuSeconds,
			seconds,
			silenceMs,
			delivered: deliveredOnce(stage.api.messages),
		};
	});
}
