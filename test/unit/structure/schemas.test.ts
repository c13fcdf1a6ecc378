import type { IDataObject } from 'n8n-workflow';
import { globSync } from 'node:fs';
import { join } from 'node:path';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { deliveryItem, readDelivery } from '../../../nodes/BusinessMessaging/events/delivery';
import { readJson, SCHEMA_FOLDER } from './project.ts';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

interface ApiDescription {
	components: { schemas: Record<string, Schema> };
	webhooks: Record<string, unknown>;
}

const ACTION_FOLDER = join(SCHEMA_FOLDER, 'v1.0.0');
const TRIGGER_FILE = join(SCHEMA_FOLDER, 'v2.0.0.json');
const { components, webhooks } = readJson<ApiDescription>('playground/api/openapi.json');
const { schemas } = components;
const NONE: Schema = { type: 'object' };
const fieldsOf = (schema: Schema) => Object.keys(schema.properties ?? {}).sort();
const operationSchema = (value: string) =>
	readJson<Schema>(join(ACTION_FOLDER, 'message', `${value}.json`));

it('every operation and the trigger have an output schema, and none is left over', () => {
	const expected = OPERATIONS.map(({ value }) => join(ACTION_FOLDER, 'message', `${value}.json`));
	expect(globSync(`${SCHEMA_FOLDER}/**/*.json`).sort()).toEqual([...expected, TRIGGER_FILE].sort());
});

it.each([
	['sendTemplate', 'SentMessage', ['preview']],
	['getStatus', 'StatusRecord', []],
])('the output schema of %s has the fields of the API, and ours', (value, name, ours) => {
	expect(fieldsOf(operationSchema(value))).toEqual([...fieldsOf(schemas[name]), ...ours].sort());
});

it('the output schema of Send Template has the parts of the cost', () => {
	const { cost } = operationSchema('sendTemplate').properties ?? {};
	expect(fieldsOf(cost)).toEqual(fieldsOf(schemas.Cost));
});

it('the local API describes every event, and no other', () => {
	const events = EVENTS.map(({ value }) => value).filter((value) => value !== 'other');
	expect(Object.keys(webhooks).sort()).toEqual(events.sort());
});

describe('the output schema of the trigger', () => {
	const trigger = readJson<Schema>(TRIGGER_FILE);
	it('has the documented fields of all events', () => {
		const described = Object.values(schemas).filter(
			({ properties }) => (properties?.event as { const?: string } | undefined)?.const,
		);
		const documented = described.flatMap(({ properties }) => fieldsOf(properties?.data ?? NONE));
		expect(documented).toContain('form_data');
		expect(fieldsOf(trigger.properties?.data ?? NONE)).toEqual([...new Set(documented)].sort());
	});

	it('has every field that the trigger adds', () => {
		const items = EVENTS.map(({ value }) => {
			const data: IDataObject = { code: 131047, from: '+12025550110' };
			const body = JSON.stringify({ event: value, timestamp: '2026-01-31T12:00:00Z', data });
			const delivery = readDelivery(Buffer.from(body));
			if ('problem' in delivery) throw new Error(delivery.problem);
			return deliveryItem(delivery, new Date());
		});
		const added = [...new Set(items.flatMap(Object.keys))].sort();
		expect(fieldsOf(trigger)).toEqual(added);
	});
});
