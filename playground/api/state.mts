import { createCustomer } from './customer.mts';
import { createDemo } from './demo.mts';
import { createLive, type Live } from './live.mts';
import { createPageEntries, type Recorded } from './pageEntries.mts';
import { createRateLimit, type RateLimit } from './rateLimit.mts';
import { createServiceWindows, type ServiceWindows } from './serviceWindow.mts';
import type { Settings } from './settings.mts';
import { createTimers, type Timers } from './timers.mts';
import { createWebhooks } from './webhooks.mts';

/** What the routes share. */
export interface ServerState extends Recorded {
	windows: ServiceWindows;
	timers: Timers;
	live: Live;
	rateLimit: RateLimit;
	/** As just started, with the settings of then; only the webhook URLs stay. No event of before is still to come. */
	reset(): void;
}

export function createState(settings: Settings): ServerState {
	const initial = structuredClone(settings);
	const timers = createTimers();
	const windows = createServiceWindows();
	const rateLimit = createRateLimit(settings);
	const webhooks = createWebhooks(settings, timers);
	const recorded = {
		settings,
		calls: [],
		messages: new Map(),
		webhooks,
		demo: createDemo(),
		customer: createCustomer(settings, webhooks, windows),
	};
	return {
		...recorded,
		windows,
		timers,
		live: createLive(createPageEntries(recorded), timers),
		rateLimit,
		reset() {
			Object.assign(settings, structuredClone(initial));
			recorded.calls.length = 0;
			for (const part of [recorded.messages, recorded.customer, webhooks, windows, rateLimit]) {
				part.clear();
			}
			timers.cancelAll();
		},
	};
}
