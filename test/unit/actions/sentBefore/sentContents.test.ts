import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import { rememberContents } from '../../../../nodes/BusinessMessaging/actions/sentBefore/sentContents';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

const CONTENT = { to: '+14155552671' };
const NOT_SENT = notStarted('send');
const UNKNOWN: Result = { failure: { ...NOT_SENT.failure, outcome: 'unknown' } };

describe('what an agent has sent, in a later call of the tool,', () => {
	it.each<[string, Result, object, Result | undefined]>([
		['is known when nobody can tell whether it was sent', UNKNOWN, { ...CONTENT }, UNKNOWN],
		['may be sent again after it was sent', { json: { message_id: 'm1' } }, CONTENT, undefined],
		['may be sent again after it was not sent', NOT_SENT, CONTENT, undefined],
		['is another one with another content', UNKNOWN, { to: '+14155552672' }, undefined],
	])('%s', (_, result, content, found) => {
		const context = {};
		rememberContents(context).remember(0, CONTENT, result);
		expect(rememberContents(context).find(3, content)).toEqual(found);
	});

	it('is known to the end of the execution', () => {
		const context = {};
		const { remember, forget } = rememberContents(context);
		remember(0, CONTENT, UNKNOWN);
		forget();
		expect(rememberContents(context).find(0, CONTENT)).toEqual(UNKNOWN);
	});

	// SECURITY, What is stored: a digest of each content of unknown outcome
	it('is stored with the execution as a digest', () => {
		const context = {};
		rememberContents(context).remember(0, CONTENT, UNKNOWN);
		expect(JSON.stringify(context)).not.toContain(CONTENT.to);
	});
});

it('a tool keeps nothing in the execution while all outcomes are known', () => {
	const context = {};
	rememberContents(context).remember(0, CONTENT, { json: { message_id: 'm1' } });
	expect(context).toEqual({});
});
