import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { readFileSync } from 'node:fs';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import {
	deliveryItem,
	readDelivery,
	type ReceivedDelivery,
} from '../../../nodes/BusinessMessaging/events/event';
import { readRecipient } from '../../../nodes/BusinessMessaging/template/phoneNumber';
import { readPlaceholders } from '../../../nodes/BusinessMessaging/template/placeholders';
import { TEMPLATE_TEXTS } from '../../../playground/api/wellKnown.mts';
import { ACTION, TRIGGER } from '../../../playground/n8n/typeNames.mts';
import { EXAMPLES, examples, ownNodes, pinnedItems, STICKY_NOTE } from '../../support/examples.mts';

const action = new BusinessMessaging().description;
const descriptions: Record<string, INodeTypeDescription> = {
	[ACTION]: action,
	[TRIGGER]: new BusinessMessagingTrigger().description,
	// What n8n makes of a node with `usableAsTool`.
	[`${ACTION}Tool`]: action,
	// And of one that waits for an answer.
	[`${ACTION}HitlTool`]: action,
};
const allNodes = examples.flatMap(([example, workflow]) =>
	workflow.nodes.map((node) => ({ example, workflow, ...node })),
);

function targetsIn(connections: unknown): string[] {
	const outputs = Object.values(Object(connections) as Record<string, Array<{ node: string }[]>>);
	return outputs.flat(2).map(({ node }) => node);
}

/** Names that the fields do not have, and values that their lists do not have. */
function unknownIn(parameters: object, fields: INodeProperties[]) {
	return Object.entries(parameters).filter(([name, value]) => {
		const named = fields.filter((field) => field.name === name);
		const choices = named.flatMap(({ type, options = [] }) => (type === 'options' ? options : []));
		const isChoice = choices.some((choice) => 'value' in choice && choice.value === value);
		return named.length === 0 || (choices.length > 0 && !isChoice);
	});
}

test('each example and the sample events have a line in the README', () => {
	const links = readFileSync('examples/README.md', 'utf8').matchAll(/^\| \[[^\]]+\]\((.+?)\)/gm);
	const files = EXAMPLES.map((name) => `${name}.json`);
	expect([...links].map(([, file]) => file).sort()).toEqual(files.sort());
	expect(files.length).toBeGreaterThan(10);
});

describe.each(examples)('%s', (name, workflow) => {
	const { nodes, connections, pinData = {} } = workflow;
	const own = (type: string) => ownNodes(workflow).filter((node) => node.type === type);

	it('carries nothing of the machine that it was made on: no credential, URL or ID, and numbers of nobody', () => {
		const parts = ['connections', 'name', 'nodes', 'pinData', 'settings'];
		expect(Object.keys(workflow).sort()).toEqual(parts);
		expect(workflow.settings).toMatchObject({ executionOrder: 'v1' });
		// n8n would refuse to run it, even with pinned data.
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		const shown = JSON.stringify(workflow).match(/\+[\d ()-]{9,}\d/g) ?? [];
		// Reserved for fiction, and the sample number of the node's own texts.
		const nobodys = /^\+120255501\d\d$|^\+14155552671$/;
		const numbers = shown.map((number) => readRecipient(number));
		expect(numbers.filter((number) => !nobodys.test(number))).toEqual([]);
		// n8n makes a URL for each import. A URL in the file would be the same for everybody, and known.
		const urls = nodes.map(({ webhookId, parameters }) => webhookId ?? parameters.path);
		expect(urls.filter(Boolean)).toEqual([]);
		const isLocator = (value: unknown): value is { mode: string; value: unknown } =>
			typeof value === 'object' && value !== null && '__rl' in value;
		const chosen = nodes.flatMap(({ type, parameters }) =>
			// Models have the same ID in every account.
			type.includes('.lmChat') ? [] : Object.values(parameters).filter(isLocator),
		);
		expect(chosen.filter(({ mode, value }) => mode !== 'name' && value !== '')).toEqual([]);
	});

	it('has notes that name the triggers to start, if there are several, and say that pins count in manual runs only', () => {
		const notes = nodes.filter(({ type }) => type === STICKY_NOTE);
		const texts = notes.map(({ parameters }) => String(parameters.content));
		const [, tryIt] = texts[0].match(/\*\*Try it:\*\* (.+)/) ?? [];
		const triggers = nodes.filter(({ type }) => /(?:Trigger|\.webhook)$/.test(type));
		const unnamed = triggers.filter((trigger) => !tryIt?.includes(`**${trigger.name}**`));
		expect(triggers.length > 1 ? unnamed : []).toEqual([]);
		expect(texts.join('\n')).toContain('Pinned data is used in manual runs only');
		const unpinning = texts.filter((text) => text.includes('Unpin every'));
		expect(unpinning).toHaveLength(name === 'campaign' ? 1 : 0);
	});

	it('names only nodes that it has', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const namedIn = (value: unknown, pattern: RegExp) =>
			[...JSON.stringify(value).matchAll(pattern)].map(([, name]) => name);
		const used = [
			...Object.keys(connections),
			...Object.keys(pinData),
			...namedIn(connections, /"node":"([^"]+)"/g),
			...namedIn(nodes, /\$\('([^']+)'\)/g),
		];
		expect(used.filter((name) => !names.includes(name))).toEqual([]);
	});

	// n8n runs the branches of a node from top to bottom. One that waits keeps those below it waiting.
	it('has no branch below one that waits', () => {
		const targetsOf = (node: string) => targetsIn(connections[node]);
		const branchesOf = (node: string) =>
			nodes
				.filter(({ name }) => targetsOf(node).includes(name))
				.sort(({ position: [x, y] }, { position: [otherX, otherY] }) => y - otherY || x - otherX)
				.map(({ name }) => name);
		const waits = (node: string, passed: string[] = []): boolean =>
			nodes.some(({ name, type }) => name === node && type === 'n8n-nodes-base.wait') ||
			(!passed.includes(node) && targetsOf(node).some((each) => waits(each, [...passed, node])));
		for (const { name } of nodes) {
			const early = branchesOf(name).slice(0, -1);
			expect([name, early.filter((branch) => waits(branch))]).toEqual([name, []]);
		}
	});

	it('has nodes of the newest version, with parameters, options and choices that exist', () => {
		for (const { type, typeVersion, parameters } of ownNodes(workflow)) {
			const { version, properties } = descriptions[type];
			const options = properties.filter(({ name }) => name === 'options');
			expect(typeVersion).toBe(version);
			expect(unknownIn(parameters, properties)).toEqual([]);
			const inside = options.flatMap((each) => (each.options ?? []) as INodeProperties[]);
			expect(unknownIn(parameters.options ?? {}, inside)).toEqual([]);
			if (parameters.variablesInput !== 'templateText') continue;
			const fields = Object.keys(parameters).filter((name) => /^variable\d+$/.test(name));
			const placeholders = readPlaceholders(String(parameters.templateText));
			expect(fields).toEqual(placeholders.map(({ position }) => `variable${position}`));
		}
	});

	it('sends templates that the phone of the local API knows', () => {
		for (const { parameters } of nodes.filter((node) => node.parameters.templateName)) {
			const { templateName, templateText = expect.any(String) } = parameters;
			expect(TEMPLATE_TEXTS[String(templateName)]).toEqual(templateText);
		}
	});

	it('shows events as the trigger puts them out, of the kinds that it listens to', () => {
		for (const { name, parameters } of own(TRIGGER)) {
			for (const item of pinnedItems(workflow, name)) {
				const { event, timestamp, data, receivedAt } = item;
				const body = Buffer.from(JSON.stringify({ event, timestamp, data }));
				const delivery = readDelivery(body) as ReceivedDelivery;
				expect(item).toEqual(deliveryItem(delivery, new Date(String(receivedAt))));
				const chosen = parameters.events as unknown[];
				expect(chosen.includes(event) || chosen.includes('*')).toBe(true);
			}
		}
	});

	it('shows results with the fields of the operation and its options', () => {
		for (const { name, parameters } of own(ACTION)) {
			const { waitFor, includeInputFields } = parameters.options as Record<string, unknown>;
			const { resource, operation } = parameters;
			const file = `nodes/BusinessMessaging/__schema__/v1.0.0/${resource}/${operation}.json`;
			const schema = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
			// n8n puts all pinned items out on the first output, which is for messages that were sent.
			const documented = [...Object.keys(schema.properties), 'delivery', 'input'];
			for (const item of pinnedItems(workflow, name)) {
				expect('input' in item).toBe(includeInputFields === true);
				expect('delivery' in item).toBe(waitFor !== undefined);
				expect('preview' in item).toBe(parameters.variablesInput === 'templateText');
				expect(documented).toEqual(expect.arrayContaining(Object.keys(item)));
			}
		}
	});
});

describe('Data Tables', () => {
	const nodes = allNodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
	const makers = nodes.filter(({ parameters }) => parameters.resource === 'table');
	const users = nodes.filter(({ parameters }) => parameters.resource === 'row');

	interface RowParameters {
		dataTableId: { mode: string; value: string };
		filters?: { conditions: Array<{ keyName: string }> };
		columns?: { value: object };
	}

	/** Of the examples that make it, or of the words of a note, such as "a Data Table **Orders** with the columns a, b and c". */
	function columnsOf(table: string, note: unknown): string[] {
		const maker = makers.find(({ parameters }) => parameters.tableName === table);
		const { column } = (maker?.parameters.columns ?? {}) as { column?: Array<{ name: string }> };
		if (column) return column.map(({ name }) => name);
		const listed = String(note).match(`\\*\\*${table}\\*\\* with [^.]*?columns? ([^.]+)\\.`);
		return listed?.[1].split(/, | and /) ?? [];
	}

	test.each(users)('$example: "$name" finds its table with all of its columns', (node) => {
		const { dataTableId, filters, columns } = node.parameters as unknown as RowParameters;
		const start = node.workflow.nodes.find(({ name }) => name === 'Note: start here');
		const present = columnsOf(dataTableId.value, start?.parameters.content);
		const used = [
			...(filters?.conditions ?? []).map(({ keyName }) => keyName),
			...Object.keys(columns?.value ?? {}),
		];
		expect(['id', 'createdAt', 'updatedAt', ...present]).toEqual(expect.arrayContaining(used));
		expect(dataTableId.mode).toBe('name');
	});

	// n8n finds a table by part of its name and takes the first match.
	test('no name of a table is part of the name of another', () => {
		const names = [
			...users.map(({ parameters }) => (parameters as unknown as RowParameters).dataTableId.value),
			...makers.map(({ parameters }) => String(parameters.tableName)),
		].map((name) => name.toLowerCase());
		const isPart = (name: string) => names.some((other) => other !== name && other.includes(name));
		expect(names.length).toBeGreaterThan(10);
		expect(names.filter(isPart)).toEqual([]);
	});

	test.each(makers)('$example: the table is made once', ({ parameters, onError }) => {
		expect(parameters.options).toEqual({ createIfNotExists: true });
		// Two executions may make it at the same time: the second fails, and has the table all the same.
		expect(onError).toBe('continueRegularOutput');
	});
});
