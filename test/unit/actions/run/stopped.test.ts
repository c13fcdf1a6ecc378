import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import { tellWhenStopped } from '../../../../nodes/BusinessMessaging/actions/run/stopped';
import { failureFromFault, notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

const SENT: Result = { json: {}, sent: { messageId: 'm1' } };
const UNKNOWN: Result = {
	failure: failureFromFault({ kind: 'timeout', beforeSending: false }, 'send'),
};

const customData = { set: jest.fn<void, [string, string]>() };
const logger = { warn: jest.fn<void, [string]>() };
let canceled: AbortController;

beforeEach(() => {
	for (const mock of [customData.set, logger.warn]) mock.mockReset();
	canceled = new AbortController();
});

function contextOf(signal?: AbortSignal) {
	return {
		...{ customData, logger },
		getExecutionCancelSignal: () => signal,
		getNode: () => ({ name: 'Send' }),
		getExecutionId: () => '17',
	} as unknown as IExecuteFunctions;
}

const tell = (results: Result[], signal?: AbortSignal) =>
	tellWhenStopped(contextOf(signal), { results, underWay: [] });

it('a run that nobody stops tells nothing, neither while it runs nor when it is stopped later', () => {
	tell([SENT], canceled.signal).end();
	canceled.abort();
	expect(customData.set).not.toHaveBeenCalled();
	expect(logger.warn).not.toHaveBeenCalled();
});

it('a run in an n8n that tells nothing of a cancellation tells nothing either', () => {
	expect(() => tell([SENT]).end()).not.toThrow();
	expect(logger.warn).not.toHaveBeenCalled();
});

it('what is too long for the data of an execution is cut there, and whole in the log', () => {
	const results = Array<Result>(10_200).fill(notStarted('send'));
	for (let item = 10_000; item < results.length; item += 4) {
		results[item] = SENT;
		results[item + 2] = UNKNOWN;
	}
	const told = tell(results, canceled.signal);
	canceled.abort();
	told.end();
	const [[, stored]] = customData.set.mock.calls;
	expect(stored).toHaveLength(255);
	expect(logger.warn.mock.calls[0][0]).toContain(stored);
});
