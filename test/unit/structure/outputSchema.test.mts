import { globSync } from 'node:fs';

import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions/operations';
import { EVENTS } from '../../../nodes/BusinessMessaging/events/catalogue';
import { documentedItems } from '../../support/documentedItems.mts';
import { incoming, post } from '../../support/webhookDouble.mts';
import { readJson } from './project.mts';

/** The editor offers the fields of these files before a node has run; test/nodes compares docs/outputs.md with real output. */
const FOLDER = 'nodes/BusinessMessaging/__schema__';
const TRIGGER = `${FOLDER}/v2.0.0.json`;
const ofOperation = (value: string) => `${FOLDER}/v1.0.0/message/${value}.json`;

interface Schema {
	properties?: Record<string, Schema & { const?: string }>;
}

const fieldsOf = ({ properties = {} }: Schema = {}) => Object.keys(properties).sort();
const fieldsIn = (file: string) => fieldsOf(readJson<Schema>(file));
const partIn = (file: string, name: string) => fieldsOf(readJson<Schema>(file).properties?.[name]);
const distinct = (names: string[]) => [...new Set(names)].sort();

const { components } = readJson<{ components: { schemas: Record<string, Schema> } }>(
	'playground/api/openapi.json',
);
const apiFields = (name: string) => fieldsOf(components.schemas[name]);

it('there is a schema of every operation and of the trigger, and no other', () => {
	const files = [TRIGGER, ...OPERATIONS.map(({ value }) => ofOperation(value))];
	expect(globSync(`${FOLDER}/**/*.json`).sort()).toEqual(files.sort());
});

it.each([
	['sendTemplate', 'SentMessage', ['preview', 'sentBefore']],
	['getStatus', 'StatusRecord', []],
])("the schema of %s has the API's fields, and ours", (value, name, ours) => {
	expect(fieldsIn(ofOperation(value))).toEqual([...apiFields(name), ...ours].sort());
	expect(partIn(ofOperation('sendTemplate'), 'cost')).toEqual(apiFields('Cost'));
});

it.each([
	['Send Template', ofOperation('sendTemplate')],
	['Get Status', ofOperation('getStatus')],
	['Send Template and Wait for Response', ofOperation('sendAndWait')],
	['Business Messaging Trigger', TRIGGER],
])(
	'the schema has all fields of the first item that docs/outputs.md shows for %s',
	(heading, file) => {
		const [item] = documentedItems(heading);
		expect(fieldsIn(file)).toEqual(expect.arrayContaining(Object.keys(item)));
	},
);

it('the data in the schema of the trigger has the fields of all described events', () => {
	const events = Object.values(components.schemas).filter(
		({ properties = {} }) => properties.event?.const,
	);
	const described = events.flatMap(({ properties }) => fieldsOf(properties?.data));
	expect(described).toContain('form_data');
	expect(partIn(TRIGGER, 'data')).toEqual(distinct(described));
});

it('the schema of the trigger has what the trigger puts out for each event', async () => {
	const fields: string[] = [];
	for (const { value: event } of EVENTS) {
		const body = incoming({ event, data: { code: 131049, from: '+12025550110' } });
		const { items = [] } = await post(body, {}, { parameters: { events: ['*'] } });
		fields.push(...items.flatMap(Object.keys));
	}
	expect(fieldsIn(TRIGGER)).toEqual(distinct(fields));
});
