import { Spending } from '../../nodes/BusinessMessaging/actions/options/spendingLimit';
import { RetryMemory } from '../../nodes/BusinessMessaging/actions/retryMemory';
import { FrequencyCap } from '../../nodes/BusinessMessaging/memory/frequencyCap';
import { PeriodBudget } from '../../nodes/BusinessMessaging/memory/periodBudget';
import { SendOnce } from '../../nodes/BusinessMessaging/memory/sendOnce';
import { createVirtualClock } from './virtualClock.mts';

/** The memory of a node's first attempt. */
export const emptyRetryMemory = new RetryMemory({}, 0);

const noRows = async () => await Promise.reject(new Error('No key'));

/** For a run without earlier attempts, keys and a spending limit. */
export const noMemory = {
	retryMemory: emptyRetryMemory,
	sendOnce: new SendOnce(noRows, createVirtualClock()),
	frequencyCap: new FrequencyCap(noRows, createVirtualClock()),
	periodBudget: new PeriodBudget(noRows, createVirtualClock()),
	spending: new Spending(Infinity),
	inFlight: new Set<number>(),
};
