import type { Result } from '../../../../nodes/BusinessMessaging/actions/result';
import { rememberRequests } from '../../../../nodes/BusinessMessaging/actions/sentBefore/sentRequests';
import { notStarted } from '../../../../nodes/BusinessMessaging/errors/failure';

const REQUEST = { to: '+14155552671' };
const UNKNOWN: Result = { failure: { ...notStarted('send').failure, outcome: 'unknown' } };

describe('a request of an agent, in a later call of the tool,', () => {
	it.each<[string, Result, object, Result | undefined]>([
		['is known when nobody can tell whether it was sent', UNKNOWN, { ...REQUEST }, UNKNOWN],
		['may be made again after it was sent', { json: { message_id: 'm1' } }, REQUEST, undefined],
		['is another one with another content', UNKNOWN, { to: '+14155552672' }, undefined],
	])('%s', (_, result, request, found) => {
		const context = {};
		rememberRequests(context).remember(0, REQUEST, result);
		expect(rememberRequests(context).find(3, request)).toEqual(found);
	});

	it('is known to the end of the execution', () => {
		const context = {};
		const { remember, forget } = rememberRequests(context);
		remember(0, REQUEST, UNKNOWN);
		forget();
		expect(rememberRequests(context).find(0, REQUEST)).toEqual(UNKNOWN);
	});

	// SECURITY, What is stored: a digest of each request of unknown outcome
	it('is stored with the execution as a digest', () => {
		const context = {};
		rememberRequests(context).remember(0, REQUEST, UNKNOWN);
		expect(JSON.stringify(context)).not.toContain(REQUEST.to);
	});
});

it('a tool keeps nothing in the execution while all outcomes are known', () => {
	const context = {};
	rememberRequests(context).remember(0, REQUEST, { json: { message_id: 'm1' } });
	expect(context).toEqual({});
});
