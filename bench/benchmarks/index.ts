import type { Benchmark } from '../benchmark.ts';
import { account } from './account.ts';
import { burst } from './burst.ts';
import { claims } from './claims.ts';
import { cluster } from './cluster.ts';
import { description } from './description.ts';
import { events } from './events.ts';
import { loading } from './loading.ts';
import { manyItems } from './manyItems.ts';
import { oneSend } from './oneSend.ts';
import { pacing } from './pacing.ts';
import { rateLimit } from './rateLimit.ts';
import { sends } from './sends.ts';

/** In the order in which they run. */
export const BENCHMARKS: Record<string, Benchmark> = {
	loading,
	description,
	oneSend,
	sends,
	rateLimit,
	pacing,
	events,
	account,
	manyItems,
	burst,
	cluster,
	claims,
};
