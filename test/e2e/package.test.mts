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

beforeAll(async () => {
	n8n = await n8nUnderTest();
});

async function nodeType(name: string) {
	const [found] = await n8n.client.session.call<NodeType[]>('POST', '/node-types', {
		nodeInfos: [{ name: `${PACKAGE}.${name}`, version: 1 }],
	});
	return found;
}

// README, Installation: the package's name
test.each([
	['businessMessaging', 'Business Messaging'],
	['businessMessagingTrigger', 'Business Messaging Trigger'],
])('n8n knows the node %s from the packed tarball, with both icons', async (name, displayName) => {
	const type = await nodeType(name);
	expect(type).toMatchObject({ displayName });
	for (const icon of [type.iconUrl.light, type.iconUrl.dark]) {
		const response = await fetch(`${n8n.url}/${icon}`);
		expect(response.headers.get('content-type')).toContain('image/svg+xml');
	}
});

/** What n8n tells the AI that builds workflows, and agents behind its MCP server, of a node of a community package. */
async function typeDefinition(name: string): Promise<string> {
	const response = await n8n.client.session.get('/types/nodes.json');
	const types = (await response.json()) as NodeType[];
	const description = types.find((type) => type.name === `${PACKAGE}.${name}`);
	const ofN8n = createRequire(join(n8nFolder, 'node_modules/n8n/package.json'));
	const generator = ofN8n('./dist/modules/mcp-registry/synthesize-type-def.js') as {
		synthesizeNodeTypeDef: (description: unknown) => string;
	};
	return generator.synthesizeNodeTypeDef(description);
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
	async (name, characters, required) => {
		const definition = await typeDefinition(name);
		expect(definition.length).toBeLessThan(characters);
		const found = [...definition.matchAll(/^ {4}(\w+): string/gm)].map(
			([, parameter]) => parameter,
		);
		expect(found).toEqual(required);
		expect(definition).not.toContain('regex');
	},
);

test.each([
	['Send Template', 'businessMessaging/1.0.0/message/sendTemplate', 'message_id'],
	['Get Status', 'businessMessaging/1.0.0/message/getStatus', 'delivered_at'],
	['the trigger', 'businessMessagingTrigger/2.0.0', 'serviceWindow'],
])('n8n knows the output fields of %s before the first run', async (_, path, field) => {
	const response = await n8n.client.session.get(`/schemas/${PACKAGE}.${path}.json`);
	expect(response.status).toBe(200);
	expect((await response.json()) as object).toHaveProperty(['properties', field]);
});
