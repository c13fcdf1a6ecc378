import { Workflow } from 'n8n-workflow';
import type { INode, INodeParameters, INodeTypes } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { OPERATIONS } from '../../../nodes/BusinessMessaging/actions';

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
	it('has a description, and an action that says of what, as n8n lists it', () => {
		expect(offered?.options).toContainEqual({
			name: entry.name,
			value,
			action: expect.stringMatching(/^[A-Z][a-z]+ (message|template)( [a-z]+)*$/),
			description: expect.stringMatching(/^[A-Z]/),
		});
	});

	it('has the fields that are shown for it, and no others', () => {
		const { fields } = entry.operation;
		expect(fields.length).toBeGreaterThan(0);
		for (const { displayOptions } of fields) {
			expect(displayOptions?.show).toMatchObject({ resource: ['message'] });
		}
		const shown = properties.filter(({ name, displayOptions }) => {
			return name !== 'toolDescription' && displayOptions?.show?.operation?.includes(value);
		});
		expect(new Set(shown)).toEqual(new Set(fields));
	});
});

it('every operation belongs to the one resource', () => {
	expect(offered?.displayOptions).toEqual({ show: { resource: ['message'] } });
});

describe("what an agent's model reads of a tool", () => {
	const ofTools = properties.filter(({ name }) => name === 'toolDescription');
	const textOf = (value: string) =>
		ofTools.find(({ displayOptions }) => displayOptions?.show?.operation?.includes(value));

	it('says what a message costs, and that a look-up costs nothing', () => {
		expect(textOf('sendTemplate')?.default).toMatch(/costs money.*cannot be taken back/);
		expect(textOf('getStatus')?.default).toMatch(/Costs nothing/);
		expect(ofTools).toHaveLength(2);
	});

	it('is a field of tools only, with room for sentences', () => {
		for (const { displayOptions, typeOptions } of ofTools) {
			expect(displayOptions?.show?.['@tool']).toEqual([true]);
			expect(typeOptions?.rows).toBeGreaterThan(1);
		}
	});
});

describe('the subtitle on the canvas', () => {
	const node = new BusinessMessaging();

	function subtitleOf(parameters: INodeParameters, type = 'businessMessaging') {
		const shown: INode = {
			...{ id: '1', name: 'Node', typeVersion: 1, position: [0, 0] },
			...{ type, parameters },
		};
		const nodeTypes = { getByNameAndVersion: () => node } as unknown as INodeTypes;
		const workflow = new Workflow({ nodes: [shown], connections: {}, active: false, nodeTypes });
		const { subtitle } = node.description;
		return workflow.expression.getSimpleParameterValue(shown, subtitle, 'internal', {});
	}

	it.each<[INodeParameters, string]>([
		[{ templateName: 'order_update' }, 'Send Template: order_update'],
		[{ operation: 'sendTemplate', templateName: 'order_update' }, 'Send Template: order_update'],
		[{ templateName: '={{ $json.template }}' }, 'Send Template'],
		[{ templateName: "={{ $fromAI('template') }}" }, 'Send Template'],
		[{ templateName: '' }, 'Send Template'],
		[{}, 'Send Template'],
		[{ operation: 'getStatus', messageId: 'm1' }, 'Get Status'],
	])('of %j is "%s", as a tool as well', (parameters, subtitle) => {
		expect(subtitleOf(parameters)).toBe(subtitle);
		expect(subtitleOf(parameters, 'businessMessagingTool')).toBe(subtitle);
	});
});
