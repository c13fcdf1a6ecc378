import type { Log } from '../../playground/run.ts';
import { rounds, type Benchmark } from '../benchmark.ts';
import { median, pairUp } from '../figures.ts';
import { usageOf } from '../processUsage.ts';
import { businessMessagingTrigger, CHOSEN, NOT_CHOSEN, webhookNode } from '../receivers.ts';
import { deliver, publishReceiver, type Target } from '../receiving.ts';
import { onStage } from '../stage.ts';

const EVENTS = 50;
const WARM_UP_EVENTS = 10;
const AT_ONCE = 5;

/** See the README, Scaling. */
const SETTING = 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE';

export const eventCost: Benchmark = {
	title: `CPU time of an event, without and with ${SETTING}`,
	async run({ pairs, say }) {
		const without = await measure(pairs, {}, say);
		const withIt = await measure(pairs, { [SETTING]: 'true' }, say);
		const unit = 'ms';
		const fact = (what: string, values: number[]) => ({ what, value: median(values), unit });
		return {
			figures: [
				{
					what: 'CPU time of an accepted event without the setting',
					reference: 'Webhook',
					unit,
					pairs: pairUp(without.accepted, without.webhook, (ms) => ms),
				},
				{
					what: 'the same with it',
					reference: 'Webhook',
					unit,
					pairs: pairUp(withIt.accepted, withIt.webhook, (ms) => ms),
				},
			],
			facts: [
				fact('accepted, without', without.accepted),
				fact('accepted, with', withIt.accepted),
				fact('ignored, without', without.ignored),
				fact('ignored, with', withIt.ignored),
			],
		};
	},
};

/** ms of CPU time per event, until its execution is over. */
async function measure(pairs: number, env: Record<string, string>, say: Log) {
	return await onStage(
		{},
		async (stage) => {
			const trigger = await publishReceiver(stage.n8n, 'Trigger', {
				Trigger: businessMessagingTrigger(stage.credentials),
			});
			const webhook = await publishReceiver(stage.n8n, 'Webhook', {
				Webhook: webhookNode(stage.credentials),
			});
			const cost = async (target: Target, event: string) => {
				const before = usageOf(stage.n8n.pid).cpuSeconds;
				await deliver(stage, target, event, EVENTS, AT_ONCE);
				return ((usageOf(stage.n8n.pid).cpuSeconds - before) * 1000) / EVENTS;
			};
			for (const target of [trigger, webhook]) {
				await deliver(stage, target, CHOSEN, WARM_UP_EVENTS, AT_ONCE);
			}
			const sides = {
				accepted: async () => await cost(trigger, CHOSEN),
				webhook: async () => await cost(webhook, CHOSEN),
				ignored: async () => await cost(trigger, NOT_CHOSEN),
			};
			return await rounds(pairs, sides, say);
		},
		env,
	);
}
