import type { IExecuteFunctions } from 'n8n-workflow';

import { openSession } from '../../../../nodes/BusinessMessaging/actions/run/session';
import { noMemory } from '../../../support/noneSentBefore.ts';
import { createVirtualClock } from '../../../support/virtualClock.ts';

const READING = { job: {}, connection: { baseUrl: 'https://api.example.com', apiKey: 'key' } };

function sessionOf(signal?: AbortSignal) {
	const context = {
		getExecutionCancelSignal: () => signal,
	} as unknown as IExecuteFunctions;
	const given = { clock: createVirtualClock(), ...noMemory };
	return openSession(context, [READING], { concurrency: 1, due: new Map() }, given);
}

it('a session can be opened in an n8n that tells nothing of a cancellation', async () => {
	const { signal, close } = sessionOf();
	expect(signal.aborted).toBe(false);
	expect(close).not.toThrow();
});

it('a session of an execution that was canceled before starts nothing', async () => {
	const { signal } = sessionOf(AbortSignal.abort());
	expect(signal.aborted).toBe(true);
});

it('a session is stopped when the execution is canceled, until it is closed', async () => {
	const canceling = new AbortController();
	const open = sessionOf(canceling.signal);
	const closed = sessionOf(canceling.signal);
	closed.close();
	canceling.abort();
	expect([open.signal.aborted, closed.signal.aborted]).toEqual([true, false]);
});
