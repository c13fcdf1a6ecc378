import { causeNamed, type FailureCode } from '../../../nodes/BusinessMessaging/errors/catalogue';
import {
	concernsOthers,
	type Failure,
	failureOf,
} from '../../../nodes/BusinessMessaging/errors/failure';
import { wordsForModel } from '../../../nodes/BusinessMessaging/errors/modelWords';
import { isWindowClosed } from '../../../nodes/BusinessMessaging/errors/responseErrors';
import { InputError, refuseAs } from '../../../nodes/BusinessMessaging/inputError';
import { NODE } from '../../support/sendNode.mts';

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

it.each<[FailureCode, Failure['outcome'], boolean]>([
	['windowClosed', 'rejected', true],
	// It may have been sent, so it is not sent in another category.
	['windowClosed', 'unknown', false],
	['notOnNetwork', 'rejected', false],
])('%s with the outcome %s says that the service window is closed: %s', (code, outcome, is) => {
	expect(isWindowClosed(failureOf(causeNamed(code), outcome))).toBe(is);
});

const AGAIN = 'Call this tool again with another value for it: ';

// docs/ai-agents.md: AI agents. What is wrong with what it gives, test/workflow/toolRefusals.test.mts
it.each<[Partial<Failure>, string, string]>([
	[{ code: 'unsupportedType' }, 'to', AGAIN],
	[{ code: 'notFound' }, 'templateName', AGAIN],
	[{ code: 'templatePaused' }, 'templateName', AGAIN],
	[{ code: 'windowClosed' }, 'fallbackCategory', AGAIN],
	[{ code: 'wrongVariables' }, 'variable2', AGAIN],
	[{ code: 'refusedAsInvalid' }, 'variable2', AGAIN],
	[{ code: 'wrongVariable', message: 'The variable {{1}} is empty' }, 'variablesJson', AGAIN],
	[{ code: 'unknownMessage' }, 'messageId', AGAIN],
	[{ code: 'wrongOption' }, 'expertOptions', AGAIN],
	[{ sendAfter: '2026' }, 'to', 'Do not call this tool for this number before 2026.'],
	[{ retryable: true }, 'to', 'Call this tool again in a minute.'],
])('after %j a model that gives %s reads what it can do', (more, asking, advice) => {
	const failure = { ...failureOf(causeNamed('timeout'), 'rejected'), message: 'No', ...more };
	const parameters = { [asking]: "={{ $fromAI('it') }}" };
	const words = wordsForModel(failure, { ...NODE, parameters });
	expect(words.startsWith(`${failure.message}. ${advice}`)).toBe(true);
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
