import { createRequire } from 'node:module';
import { join } from 'node:path';
import { n8nFolder } from '../../playground/folders.mts';
import { n8nImage } from '../../playground/n8n/docker.mts';
import { isN8nBefore, n8nUnderTest, type N8nUnderTest } from '../support/n8nUnderTest.mts';

interface NodeType {
	name: string;
	displayName: string;
	iconUrl: { light: string; dark: string };
}

const PACKAGE = 'n8n-nodes-business-messaging';
let n8n: N8nUnderTest;
let types: NodeType[];

beforeAll(async () => {
	n8n = await n8nUnderTest();
	const response = await n8n.client.session.get('/types/nodes.json');
	types = (await response.json()) as NodeType[];
});

function typeOf(node: string) {
	return types.find(({ name }) => name === `${PACKAGE}.${node}`)!;
}

// README, Installation: the package's name
test.each([
	['businessMessaging', 'Business Messaging', '1.0.0/message/sendTemplate', 'message_id'],
	['businessMessagingTrigger', 'Business Messaging Trigger', '2.0.0', 'serviceWindow'],
])(
	'n8n knows %s from the packed tarball, as %s, with both icons, and its output fields before the first run',
	async (name, displayName, version, field) => {
		const type = typeOf(name);
		expect(type.displayName).toBe(displayName);
		for (const icon of [type.iconUrl.light, type.iconUrl.dark]) {
			const response = await fetch(`${n8n.url}/${icon}`);
			expect(response.headers.get('content-type')).toContain('image/svg+xml');
		}
		const schema = await n8n.client.session.get(`/schemas/${PACKAGE}.${name}/${version}.json`);
		expect((await schema.json()) as object).toHaveProperty(['properties', field]);
	},
);

/** What n8n tells the AI that builds workflows, and agents behind its MCP server, of a node of a community package. */
function typeDefinition(node: string): string {
	const ofN8n = createRequire(join(n8nFolder, 'node_modules/n8n/package.json'));
	const generator = ofN8n('./dist/modules/mcp-registry/synthesize-type-def.js') as {
		synthesizeNodeTypeDef: (description: NodeType) => string;
	};
	return generator.synthesizeNodeTypeDef(typeOf(node));
}

/** Before 2.41 n8n has no such generator, and that of an image is out of reach. */
const testOfBuilders = isN8nBefore(41) || n8nImage ? test.skip : test;

testOfBuilders.each<[string, number, string[]]>([
	[
		'businessMessaging',
		16_500,
		['messageId', 'to', 'templateName', 'to', 'templateName', 'message'],
	],
	['businessMessagingTrigger', 3000, []],
])(
	'of %s builders read up to %d characters, and nothing is required that a minimal call does not need',
	(name, characters, required) => {
		const definition = typeDefinition(name);
		expect(definition.length).toBeLessThan(characters);
		const found = [...definition.matchAll(/^ {4}(\w+): string/gm)].map(
			([, parameter]) => parameter,
		);
		expect(found).toEqual(required);
		expect(definition).not.toContain('regex');
	},
);
