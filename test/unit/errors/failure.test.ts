import {
	asLookUpFailure,
	type Failure,
	failureFromException,
	failureFromInput,
	MAY_HAVE_GONE,
	notStarted,
	tooLate,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';

const BROKEN = new Error('x is not a function');
const TOO_LATE = {
	message: 'The rate limit left no time to ask the API',
	remedy: 'Raise Wait Timeout under Options, or send fewer items at once.',
	retryable: true,
};
const unforeseen = { message: 'Something unforeseen went wrong: x is not a function' };
const empty = { message: 'The recipient is empty', remedy: 'Enter a number.' };

it.each<[string, Failure, object]>([
	['a wrong input', failureFromInput(new InputError(empty.message, empty.remedy)), empty],
	[
		'an exception before sending',
		failureFromException(BROKEN, 'notSent'),
		{ ...unforeseen, remedy: expect.stringContaining('Please report it') },
	],
	[
		'an exception after sending',
		failureFromException(BROKEN, 'unknown'),
		{ ...unforeseen, remedy: MAY_HAVE_GONE, outcome: 'unknown' },
	],
	['a request that the rate limit left no time for', tooLate(), TOO_LATE],
	// docs/sending.md: the outcome of a look-up is null
	[
		'a look-up, which says nothing about its message',
		asLookUpFailure({ ...tooLate(), messageId: 'm1' }),
		{ ...TOO_LATE, outcome: null },
	],
])('the failure of %s', (_, failure, expected) => {
	const usual = { httpStatus: null, networkCode: null, outcome: 'notSent', retryable: false };
	expect(failure).toEqual({ ...usual, ...expected });
});

it('an item that the run did not reach is told from one that failed', () => {
	const failure = { outcome: 'notSent', retryable: false };
	expect(notStarted()).toMatchObject({ failure, notStarted: true });
});
