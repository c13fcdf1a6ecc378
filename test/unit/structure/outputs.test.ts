import { readDelivery, deliveryItem } from '../../../nodes/BusinessMessaging/events/delivery';
import { documentedItems } from '../../support/documentedItems.ts';
import { readJson, SCHEMA_FOLDER } from './project.ts';

interface Schema {
	properties?: Record<string, Schema>;
}

const [sent] = documentedItems('Send Template');
const [status] = documentedItems('Get Status');
const [answer] = documentedItems('Send Template and Wait for Response');
const [event] = documentedItems('Business Messaging Trigger');

/** What the customer wrote: the local API's own, for the API's document shows none. */
const { text, ...data } = event.data as Record<string, string>;
const withoutText = { ...event, data };

/** The fields that a schema does not have, with their path. */
function unknownFields(value: unknown, { properties = {} }: Schema, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, field]) =>
		name in properties
			? unknownFields(field, properties[name], `${path}${name}.`)
			: [`${path}${name}`],
	);
}

describe('docs/outputs.md', () => {
	it.each([
		['sendTemplate', sent, 'v1.0.0/message/sendTemplate'],
		['getStatus', status, 'v1.0.0/message/getStatus'],
		['sendAndWait', answer, 'v1.0.0/message/sendAndWait'],
		['the trigger', withoutText, 'v2.0.0'],
	])('shows an item of %s with fields that the editor offers', (_, item, schema) => {
		expect(Object.keys(item).length).toBeGreaterThan(2);
		expect(unknownFields(item, readJson<Schema>(`${SCHEMA_FOLDER}/${schema}.json`))).toEqual([]);
	});

	it('shows the event as the trigger puts it out', () => {
		const { timestamp, data, receivedAt } = event as { [name: string]: string };
		const delivery = readDelivery(
			Buffer.from(JSON.stringify({ event: event.event, timestamp, data })),
		);
		if ('problem' in delivery) throw new Error(delivery.problem);
		expect(deliveryItem(delivery, new Date(receivedAt))).toEqual(event);
	});
});
