import { createCustomer } from './customer.ts';
import { createLive, type Live } from './live.ts';
import { createPageEntries, type Recorded } from './pageEntries.ts';
import { createRateLimit, type Budget } from './rateLimit.ts';
import { createServiceWindows, type ServiceWindows } from './serviceWindow.ts';
import type { Settings } from './settings.ts';
import { createTimers, type Timers } from './timers.ts';
import { createWebhooks } from './webhooks.ts';

/** What the routes share. */
export interface ServerState extends Recorded {
	windows: ServiceWindows;
	timers: Timers;
	live: Live;
	spend: (counter: string, now: number) => Budget;
}

export function createState(settings: Settings): ServerState {
	const timers = createTimers();
	const windows = createServiceWindows();
	const webhooks = createWebhooks(settings, timers);
	const recorded = {
		settings,
		calls: [],
		messages: new Map(),
		webhooks,
		customer: createCustomer(settings, webhooks, windows),
	};
	return {
		...recorded,
		windows,
		timers,
		live: createLive(createPageEntries(recorded), timers),
		spend: createRateLimit(settings),
	};
}
