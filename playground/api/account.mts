import { Refused } from './refused.mts';
import type { ApiKey, Plan } from './wellKnown.mts';

const PLANS_WITH_API_ACCESS: Plan[] = ['Scale', 'Enterprise'];

/** The account behind a key; refuses with 401 or 403 (section 5 of the API document). */
export function authorizedAccount(found: ApiKey | undefined): string {
	if (!found) throw Refused.because(401);
	if (!PLANS_WITH_API_ACCESS.includes(found.plan)) throw Refused.because(403);
	return found.account;
}
