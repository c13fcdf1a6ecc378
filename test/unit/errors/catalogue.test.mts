import { causeNamed, type FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import { concernsOthers, failureOf } from '../../../nodes/BusinessMessaging/errors/failure';
import { InputError, refuseAs } from '../../../nodes/BusinessMessaging/inputError';

it.each<[FailureCode, string | undefined, boolean]>([
	['windowClosed', undefined, false],
	['apiBroken', undefined, false],
	['noTemplate', undefined, true],
	['keyRejected', undefined, true],
	// What the API has accepted says nothing of what it accepts next.
	['noTemplate', 'm1', false],
])('%s of a message with the ID %s concerns others: %s', (code, messageId, expected) => {
	expect(concernsOthers({ ...failureOf(causeNamed(code)), messageId })).toBe(expected);
});

it('what fills a place is taken as it is', () => {
	const { message } = causeNamed('unforeseen', { reason: '$& {reason}' });
	expect(message).toBe('Something unforeseen went wrong: $& {reason}');
});

it('wrong input is named by the innermost field that says so', () => {
	const wrong = new InputError('It is empty', 'Fill it in.');
	const other = new Error('of n8n');
	const throwing = (error: Error) => (): never => {
		throw error;
	};
	const inOption = (read: () => unknown) => () => refuseAs('wrongOption', read);
	const inRecipient = () => refuseAs('wrongRecipient', throwing(wrong));
	expect(wrong.code).toBe('wrongInput');
	expect(inOption(throwing(wrong))).toThrow(expect.objectContaining({ code: 'wrongOption' }));
	expect(inOption(inRecipient)).toThrow(expect.objectContaining({ code: 'wrongRecipient' }));
	expect(inOption(throwing(other))).toThrow(other);
});
