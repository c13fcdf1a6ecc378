import {
	asLookUpFailure,
	failureFromException,
	failureFromInput,
	MAY_HAVE_GONE,
	notStarted,
	tooLate,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError } from '../../../nodes/BusinessMessaging/inputError';

const NO_RESPONSE = { httpStatus: null, networkCode: null };

it('a wrong input is the failure of an item that was not sent', () => {
	const error = new InputError('The recipient is empty', 'Enter a number.');
	expect(failureFromInput(error)).toEqual({
		message: 'The recipient is empty',
		remedy: 'Enter a number.',
		...NO_RESPONSE,
		outcome: 'notSent',
		retryable: false,
	});
});

it.each([
	['unknown', MAY_HAVE_GONE],
	['notSent', expect.stringContaining('Please report it')],
] as const)('an exception says what to do when the outcome is %s', (outcome, remedy) => {
	expect(failureFromException(new Error('x is not a function'), outcome)).toEqual({
		message: 'Something unforeseen went wrong: x is not a function',
		remedy,
		...NO_RESPONSE,
		outcome,
		retryable: false,
	});
});

it('an item that the run did not reach is told from one that failed', () => {
	expect(notStarted()).toMatchObject({
		failure: { outcome: 'notSent', retryable: false },
		notStarted: true,
	});
});

it('a request that the rate limit left no time for says what to change', () => {
	expect(tooLate()).toEqual({
		message: 'The rate limit left no time to ask the API',
		remedy: 'Raise Wait Timeout under Options, or send fewer items at once.',
		...NO_RESPONSE,
		outcome: 'notSent',
		retryable: true,
	});
});

// README, Send to a spreadsheet: the outcome of a look-up is null
it('the failure of a look-up says nothing about its message', () => {
	const failure = asLookUpFailure({ ...tooLate(), messageId: 'm1' });
	expect(failure).toEqual({ ...tooLate(), outcome: null });
});
