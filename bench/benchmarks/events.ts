import { rounds, type Benchmark } from '../benchmark.ts';
import { atLeast, pairUp } from '../figures.ts';
import {
	businessMessagingTrigger,
	CHOSEN,
	filterNode,
	NOT_CHOSEN,
	webhookNode,
} from '../receivers.ts';
import { deliver, publishReceiver, type Target } from '../receiving.ts';
import { onStage } from '../stage.ts';

const EVENTS = 100;
const WARM_UP_EVENTS = 20;
const AT_ONCE = 10;

export const events: Benchmark = {
	title: `${EVENTS} events, ${AT_ONCE} at a time`,
	async run({ pairs, say }) {
		return await onStage({}, async (stage) => {
			const { credentials } = stage;
			const trigger = await publishReceiver(stage.n8n, 'Trigger', {
				Trigger: businessMessagingTrigger(credentials),
			});
			const webhook = await publishReceiver(stage.n8n, 'Webhook', {
				Webhook: webhookNode(credentials),
			});
			const filtered = await publishReceiver(stage.n8n, 'Webhook and Filter', {
				Webhook: webhookNode(credentials),
				Filter: filterNode,
			});
			const take = async (target: Target, event: string, count = EVENTS) =>
				await deliver(stage, target, event, count, AT_ONCE);

			for (const target of [trigger, webhook, filtered]) await take(target, CHOSEN, WARM_UP_EVENTS);
			const samples = await rounds(
				pairs,
				{
					accepted: async () => await take(trigger, CHOSEN),
					webhook: async () => await take(webhook, CHOSEN),
					ignored: async () => await take(trigger, NOT_CHOSEN),
					filtered: async () => await take(filtered, NOT_CHOSEN),
				},
				say,
			);
			const unit = '1/s';
			return {
				figures: [
					{
						what: 'accepted events a second',
						reference: 'Webhook',
						unit,
						pairs: pairUp(samples.accepted, samples.webhook, ({ answered }) => answered),
						aim: atLeast(0.9),
					},
					{
						what: 'the same, until all executions are over',
						reference: 'Webhook',
						unit,
						pairs: pairUp(samples.accepted, samples.webhook, ({ finished }) => finished),
					},
					{
						what: 'not chosen events a second',
						reference: 'Webhook and Filter',
						unit,
						pairs: pairUp(samples.ignored, samples.filtered, ({ answered }) => answered),
						aim: atLeast(2),
					},
				],
			};
		});
	},
};
