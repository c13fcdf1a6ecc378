import type { ApiCall } from './calls.ts';
import { createCustomer, type Customer } from './customer.ts';
import type { StoredMessage } from './messages.ts';
import { createRateLimit, type Budget } from './rateLimit.ts';
import { createServiceWindows, type ServiceWindows } from './serviceWindow.ts';
import type { Settings } from './settings.ts';
import { createTimers, type Timers } from './timers.ts';
import { createWebhooks, type Webhooks } from './webhooks.ts';

/** What the routes share. */
export interface ServerState {
	settings: Settings;
	calls: ApiCall[];
	messages: Map<string, StoredMessage>;
	windows: ServiceWindows;
	webhooks: Webhooks;
	customer: Customer;
	timers: Timers;
	spend: (counter: string, now: number) => Budget;
}

export function createState(settings: Settings): ServerState {
	const timers = createTimers();
	const windows = createServiceWindows();
	const webhooks = createWebhooks(settings, timers);
	return {
		settings,
		calls: [],
		messages: new Map(),
		windows,
		webhooks,
		customer: createCustomer(webhooks, windows),
		timers,
		spend: createRateLimit(settings),
	};
}
