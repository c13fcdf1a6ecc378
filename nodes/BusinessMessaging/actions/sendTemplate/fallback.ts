import type { Category } from '../../api';
import type { Failure } from '../../errors/failure';
import { NETWORK_ERRORS } from '../../errors/networkErrors';
import type { SendJob } from './job';

/** 7.2: Re-engagement Required */
const WINDOW_CLOSED = '131047';

/**
 * The category in which a message is sent once more, because Auto took the service window for open and
 * the network says that it is closed. Only after a failure that is certain: the API refused the
 * request, or gave the message the final status `failed` (2.5), at once or in a look-up. After an
 * unclear answer the first message may have gone, whatever code came with it.
 * @param sentAs the category of the message that failed
 */
export function fallbackFor(
	{ categoryChoice: choice }: SendJob,
	sentAs: unknown,
	failure: Failure,
): Category | undefined {
	if (!isWindowClosed(failure) || choice.category !== 'auto' || sentAs !== 'service')
		return undefined;
	return choice.fallbackCategory === 'service' ? undefined : choice.fallbackCategory;
}

function isWindowClosed({ networkCode, outcome }: Failure): boolean {
	return outcome === 'rejected' && networkCode === WINDOW_CLOSED;
}

/** The message's own failure, when the spending limit does not allow its fallback category. */
export function overLimitInFallback(failure: Failure): Failure {
	return {
		...failure,
		remedy:
			'It was not sent with Fallback Category, because the run would then cost more than the spending limit. Raise Spending Limit under Options.',
	};
}

/** Advice that does not name the category that is chosen already. What the API says, behind it, stays. */
export function withFittingAdvice({ categoryChoice }: SendJob, failure: Failure): Failure {
	const { category } = categoryChoice;
	if (category === 'service' || !isWindowClosed(failure)) return failure;
	const said = failure.remedy.slice(NETWORK_ERRORS[WINDOW_CLOSED].remedy.length);
	return {
		...failure,
		remedy: `Check in your dashboard which category the template is approved for, and choose it as ${category === 'auto' ? 'Fallback Category' : 'Category'}.${said}`,
	};
}
