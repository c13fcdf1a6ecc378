import { readFileSync } from 'node:fs';

import { NETWORK_ERRORS } from '../../../nodes/BusinessMessaging/errors/networkErrors';
import { readDelivery, deliveryItem } from '../../../nodes/BusinessMessaging/events/delivery';
import { tableOf } from './markdown.ts';
import { readJson, SCHEMA_FOLDER } from './project.ts';

interface Schema {
	properties?: Record<string, Schema>;
}

const page = readFileSync('docs/outputs.md', 'utf8');
const [sent, status, answer, failed, event] = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(
	([, json]) => JSON.parse(json) as Record<string, unknown>,
);

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
		['the trigger', event, 'v2.0.0'],
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

	it('shows a failed item with the sentences of its code', () => {
		const { networkCode, message, remedy } = failed.error as Record<string, string>;
		expect({ message, remedy }).toEqual(NETWORK_ERRORS[networkCode]);
	});
});

it('docs/troubleshooting.md has the messaging network codes that the document of the API has a remedy for', () => {
	const symptoms = tableOf('docs/troubleshooting.md', 'Symptom').map(([symptom]) => symptom);
	expect(symptoms).toEqual(expect.arrayContaining(['131047', '131026', '133004', '429']));
});
