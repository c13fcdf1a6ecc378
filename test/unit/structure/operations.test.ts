import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';

const { properties } = new BusinessMessaging().description;
const offered = properties.find(({ name }) => name === 'operation');

it('the editor offers every operation, in alphabetical order', () => {
	const values = OPERATIONS.map(({ value }) => value);
	expect(offered?.options).toMatchObject(values.map((value) => ({ value })));
	const names = OPERATIONS.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
	expect(values).toContain(offered?.default);
});

describe.each(OPERATIONS.map((entry) => [entry.value, entry] as const))('%s', (value, entry) => {
	it('has a description, and an action as n8n lists it', () => {
		expect(offered?.options).toContainEqual({
			name: entry.name,
			value,
			action: expect.stringMatching(/^[A-Z]/),
			description: expect.stringMatching(/^[A-Z]/),
		});
	});

	it('has a handler and an estimate of its price', () => {
		const { read, estimate, run } = entry.operation;
		expect([read, estimate, run].map((part) => typeof part)).toEqual(Array(3).fill('function'));
	});

	it('has fields of its own, shown for nothing else', () => {
		const shows = entry.operation.fields.map(({ displayOptions }) => displayOptions?.show);
		expect(shows.length).toBeGreaterThan(0);
		for (const show of shows) {
			expect(show).toMatchObject({ resource: ['message'], operation: [value] });
		}
	});

	it('is named in the subtitle, as the editor shows it', () => {
		expect(new BusinessMessaging().description.subtitle).toContain(`"${entry.name}"`);
	});
});
