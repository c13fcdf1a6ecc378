import { readTestRecipient } from '../../../nodes/BusinessMessaging/actions/run/testRecipient';
import { FAULT_SENTENCES } from '../../../nodes/BusinessMessaging/errors/faultSentences';
import { sentenceForRefusal } from '../../../nodes/BusinessMessaging/errors/httpErrors';
import { NETWORK_ERRORS } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import { withParameters } from '../../support/parameters.ts';
import { incoming, post } from '../../support/triggerPost.ts';
import { tableOf } from './markdown.ts';

jest.mock('../../../nodes/BusinessMessaging/clock', () =>
	jest.requireActual('../../support/fastClock.ts'),
);

const said = new Map(
	tableOf('docs/troubleshooting.md', 'Symptom').map(([symptom, says]) => [symptom, says]),
);

/** As the API itself answers. */
const headers = { 'x-ratelimit-remaining': '1' };

it('docs/troubleshooting.md has the sentence of each code of the messaging network', () => {
	const sentences = Object.entries(NETWORK_ERRORS).map(([code, { message }]) => [code, message]);
	expect(Object.fromEntries(said)).toMatchObject(Object.fromEntries(sentences));
});

it.each([
	['the node reports 401', 401, {}],
	['the node reports 403', 403, {}],
	['429', 429, {}],
	['a web page', 404, '<!doctype html><html></html>'],
])('docs/troubleshooting.md has what the node says: %s', (symptom, status, body) => {
	const { message } = sentenceForRefusal({ status, headers, body }, 'send');
	expect(said.get(symptom)).toBe(message);
});

it('docs/troubleshooting.md has what the node says when nobody answers', () => {
	expect(said.get('outcome `unknown`')).toBe(FAULT_SENTENCES.timeout.message);
});

it('docs/troubleshooting.md has what the node says when nobody can tell whether a run is by hand', () => {
	const read = () => readTestRecipient(withParameters({}), 'nobody');
	expect(read).toThrow(said.get('Test Recipient'));
});

it.each([
	['the dashboard reports 401', { query: {} }],
	['the dashboard reports 403', { ip: '203.0.113.7' }],
])('docs/troubleshooting.md has what the trigger answers: %s', async (symptom, request) => {
	const parameters = { options: { ipAllowlist: '192.0.2.1' } };
	const { status, body } = await post(incoming(), { ip: '192.0.2.1', ...request }, { parameters });
	expect(symptom).toContain(String(status));
	expect(body).toEqual({ status: 'error', message: said.get(symptom) });
});

it('docs/troubleshooting.md has what the trigger answers to an event that it had', async () => {
	const event = incoming();
	await post(event);
	expect((await post(event)).body).toEqual({ status: said.get('200, and no workflow runs') });
	const underWay = incoming();
	await post(underWay, {}, { isUnderWay: true });
	const message = said.get('the dashboard reports 503');
	expect(await post(underWay)).toMatchObject({ status: 503, body: { message } });
});
