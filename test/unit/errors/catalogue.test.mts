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
	['noTemplate', undefined, true],
	['keyRejected', undefined, true],
	// What the API has accepted says nothing of what it accepts next.
	['noTemplate', 'm1', false],
])('%s of a message with the ID %s concerns others: %s', (code, messageId, expected) => {
	expect(concernsOthers({ ...failureOf(causeNamed(code)), messageId })).toBe(expected);
});

it('what may have been sent is not sent in another category, whatever the network says', () => {
	expect(isWindowClosed(failureOf(causeNamed('windowClosed'), 'unknown'))).toBe(false);
});

const AGAIN = 'Call this tool again with another value for it: ';

// docs/ai-agents.md: AI agents. What is wrong with what it gives, test/workflow/toolRefusals.test.mts
it.each<[Partial<Failure>, string, string]>([
	[{ code: 'refusedAsInvalid' }, 'variable2', AGAIN],
	[{ code: 'wrongVariable', message: 'The variable {{1}} is empty' }, 'variablesJson', AGAIN],
	[{ code: 'unknownMessage' }, 'messageId', AGAIN],
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
	const inOption = (error: Error) => () =>
		refuseAs('wrongOption', () => {
			throw error;
		});
	const ofRecipient = new InputError('It is empty', 'Fill it in.', 'wrongRecipient');
	expect(inOption(ofRecipient)).toThrow(expect.objectContaining({ code: 'wrongRecipient' }));
	const ofN8n = new Error('of n8n');
	expect(inOption(ofN8n)).toThrow(ofN8n);
});
