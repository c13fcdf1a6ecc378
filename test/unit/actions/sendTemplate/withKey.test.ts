import type { KeyedSends } from '../../../../nodes/BusinessMessaging/actions/keyedSends';
import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import {
	freeIfRejected,
	sendWithKey,
} from '../../../../nodes/BusinessMessaging/actions/sendTemplate/withKey';
import {
	failureFromAnswer,
	failureFromFault,
} from '../../../../nodes/BusinessMessaging/errors/failure';
import { noMemory } from '../../../support/noneSentBefore.ts';

const SENT: Result = { json: {}, sent: { messageId: 'm1' } };
const REJECTED: Result = {
	failure: failureFromAnswer({ status: 400, headers: {}, body: '' }, 'send'),
};
const UNKNOWN: Result = {
	failure: failureFromFault({ kind: 'timeout', beforeSending: false }, 'send'),
};

function keyed(changes: Partial<KeyedSends>): KeyedSends {
	return { ...noMemory.sendOnce, ...changes };
}

it('what is known to be sent is left out without asking the memory again', async () => {
	const once = jest.fn();
	const left = await sendWithKey('a', jest.fn(), keyed({ known: new Set(['a']), once }));
	expect(left).toEqual({ json: { skipped: 'sentBefore', key: 'a' }, skipped: 'sentBefore' });
	expect(once).not.toHaveBeenCalled();
});

it.each(['sentBefore', 'outcomeUnknown'] as const)(
	'what the memory calls %s is left out',
	async (skipped) => {
		const once = (async () => ({ skipped })) as KeyedSends['once'];
		const left = await sendWithKey('a', jest.fn(), keyed({ once }));
		expect(left).toEqual({ json: { skipped, key: 'a' }, skipped });
	},
);

it.each<[string, Result]>([
	['sent', SENT],
	['notSent', REJECTED],
	['unknown', UNKNOWN],
])('the memory is told that a message is "%s"', async (fate, result) => {
	const fates: string[] = [];
	const once: KeyedSends['once'] = async (_, send, fateOf) => {
		const sent = await send();
		fates.push(fateOf(sent));
		return sent;
	};
	expect(await sendWithKey('a', async () => result, keyed({ once }))).toBe(result);
	expect(fates).toEqual([fate]);
});

it('without the memory nothing is sent, and that is certain', async () => {
	const once = async () => await Promise.reject(new Error('no database'));
	const send = jest.fn();
	expect(await sendWithKey('a', send, keyed({ once }))).toEqual({
		failure: expect.objectContaining({
			message: "The memory of Send Once Key can't be used: no database",
			remedy: 'Run it again when the database of n8n answers.',
			outcome: 'notSent',
		}),
	});
	expect(send).not.toHaveBeenCalled();
});

it.each<[string, Result, string | undefined, string[]]>([
	['that did not reach the customer', REJECTED, 'a', ['a']],
	['that reached the customer', SENT, 'a', []],
	['that may have', UNKNOWN, 'a', []],
	['that has no key', REJECTED, undefined, []],
])('of a message %s the key is freed only where that is safe', async (_, result, key, freed) => {
	const done: unknown[] = [];
	const remember = (told: Result) => done.push(told);
	const takeBack = async (each: string) => void done.push(each);
	const session = { sendOnce: keyed({ takeBack }) };
	expect(await freeIfRejected(Promise.resolve(result), key, session as never, remember)).toBe(
		result,
	);
	expect(done).toEqual(freed.flatMap((each) => [result, each]));
});
