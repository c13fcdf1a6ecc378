import type { IExecuteFunctions } from 'n8n-workflow';

import { openSession } from '../../../nodes/BusinessMessaging/actions/session';

const MEMORY = 'sentMessages';

function contextOf(signal?: AbortSignal, runIndex?: number, memory: object = {}) {
	return {
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://api.example.com', apiKey: 'key' }),
		getExecutionCancelSignal: () => signal,
		getNode: () => ({ type: 'businessMessaging', retryOnFail: runIndex !== undefined }),
		getContext: () => memory,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex === -1 ? undefined : runIndex }),
	} as unknown as IExecuteFunctions;
}

it('a session can be opened in an n8n that tells nothing of a cancellation', async () => {
	const { signal, close } = await openSession(contextOf(), 1);
	expect(signal.aborted).toBe(false);
	expect(close).not.toThrow();
});

it('a session of an execution that was canceled before starts nothing', async () => {
	const { signal } = await openSession(contextOf(AbortSignal.abort()), 1);
	expect(signal.aborted).toBe(true);
});

it('a session is stopped when the execution is canceled, until it is closed', async () => {
	const canceling = new AbortController();
	const open = await openSession(contextOf(canceling.signal), 1);
	const closed = await openSession(contextOf(canceling.signal), 1);
	closed.close();
	canceling.abort();
	expect([open.signal.aborted, closed.signal.aborted]).toEqual([true, false]);
});

it.each([
	[3, 3],
	[0, 0],
	[-1, 0],
])('with Retry On Fail the run %i is remembered as %i', async (runIndex, expected) => {
	const memory: Record<string, { runIndex: number }> = {};
	await openSession(contextOf(undefined, runIndex, memory), 1);
	expect(memory[MEMORY].runIndex).toBe(expected);
});

it('without Retry On Fail nothing is remembered', async () => {
	const memory = {};
	await openSession(contextOf(undefined, undefined, memory), 1);
	expect(memory).toEqual({});
});
