import type { Benchmark } from '../benchmark.mts';
import { account } from './account.mts';
import { burst } from './burst.mts';
import { claims } from './claims.mts';
import { cluster } from './cluster.mts';
import { description } from './description.mts';
import { events } from './events.mts';
import { ledger } from './ledger.mts';
import { loading } from './loading.mts';
import { manyItems } from './manyItems.mts';
import { oneSend } from './oneSend.mts';
import { pacing } from './pacing.mts';
import { rateLimit } from './rateLimit.mts';
import { sends } from './sends.mts';

/** In the order in which they run. */
export const BENCHMARKS: Record<string, Benchmark> = {
	loading,
	description,
	oneSend,
	sends,
	ledger,
	rateLimit,
	pacing,
	events,
	account,
	manyItems,
	burst,
	cluster,
	claims,
};
