import type { Benchmark } from '../benchmark.ts';
import { deliveredOnce } from '../delivered.ts';
import { atMost, pairUp } from '../figures.ts';
import type { NodeSettings } from '../nodes.ts';
import { usageOf } from '../processUsage.ts';
import { rounds } from '../rounds.ts';
import { businessMessaging, httpRequest } from '../senders.ts';
import { publishSending, rowsOf, send } from '../sending.ts';
import { onStage, type Stage } from '../stage.ts';

const CONCURRENCY = 50;

export const manyItems: Benchmark = {
	title: 'many items in one run, an n8n of its own for each run',
	async run({ pairs, items, say }) {
		const rows = rowsOf(items);
		const options = { concurrency: CONCURRENCY, requestsPerMinute: 0 };
		const samples = await rounds(
			pairs,
			{
				ours: async () =>
					await measure(rows, items, ({ credentials }) => businessMessaging(credentials, options)),
				theirs: async () =>
					await measure(rows, items, ({ credentials, api }) => httpRequest(credentials, api.url)),
			},
			say,
		);
		const { ours, theirs } = samples;
		const reference = 'HTTP Request';
		return {
			figures: [
				{
					what: 'peak memory of the n8n process',
					reference,
					unit: 'MB',
					pairs: pairUp(ours, theirs, ({ peakMb }) => peakMb),
					aim: atMost(1),
				},
				{
					what: 'of that, above the idle n8n',
					reference,
					unit: 'MB',
					pairs: pairUp(ours, theirs, ({ growthMb }) => growthMb),
				},
				{
					what: 'CPU time of the run',
					reference,
					unit: 's',
					pairs: pairUp(ours, theirs, ({ cpuSeconds }) => cpuSeconds),
					aim: atMost(1),
				},
				{
					what: 'time of the run',
					reference,
					unit: 's',
					pairs: pairUp(ours, theirs, ({ seconds }) => seconds),
				},
				{
					what: 'messages delivered exactly once',
					reference,
					unit: 'messages',
					pairs: pairUp(ours, theirs, ({ delivered }) => delivered),
				},
			],
		};
	},
};

/** The executions are not stored: storing costs both sides the same, and would hide the difference. */
const NOT_STORED = { saveDataSuccessExecution: 'none' };

async function measure(rows: string, items: number, sender: (stage: Stage) => NodeSettings) {
	return await onStage({ requestsPerWindow: 0 }, async (stage) => {
		const sending = await publishSending(stage, 'Many items', sender(stage), NOT_STORED);
		await send(sending, rowsOf(1));
		stage.api.messages.clear();
		const { pid } = stage.n8n;
		const before = usageOf(pid);
		const startedAt = performance.now();
		await send(sending, rows);
		const seconds = (performance.now() - startedAt) / 1000;
		const after = usageOf(pid);
		return {
			peakMb: after.peakResidentMb,
			growthMb: after.peakResidentMb - before.residentMb,
			cpuSeconds: after.cpuSeconds - before.cpuSeconds,
			seconds,
			delivered: deliveredOnce(stage.api),
			items,
		};
	});
}
