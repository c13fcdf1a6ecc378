import { ANY_EVENT, EVENTS, isChosen } from '../../../nodes/BusinessMessaging/events/catalogue';

describe('the events to choose from', () => {
	it('are each named in the description', () => {
		for (const { value, description } of EVENTS) expect(description).toContain(`(${value})`);
	});

	it.each([
		['message.read', ['message.read'], true],
		['message.read', ['message.sent', 'message.read'], true],
		['message.read', ['message.sent'], false],
		['message.read', [], false],
		['message', ['message.read'], false],
		['message.read', ['message'], false],
		['message.read', [ANY_EVENT], true],
		['template.approved', [ANY_EVENT], true],
		['template.approved', ['message.read', ANY_EVENT], true],
		['template.approved', ['message.read'], false],
	])('%s starts a workflow for which %j is chosen: %p', (event, chosen, expected) => {
		expect(isChosen(event, chosen)).toBe(expected);
	});
});
