import { NodeOperationError } from 'n8n-workflow';
import type {
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { createServer, type Server } from 'node:http';
import { runWorkflow } from '../support/engine.ts';
import { listen } from '../support/listen.ts';

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const secretHeader: ICredentialType = {
	name: 'secretHeader',
	displayName: 'Secret Header',
	properties: [],
	authenticate: async ({ secret }, request) => ({ ...request, headers: { secret } }),
};

function nodeType(execute: Execute): INodeType {
	return {
		description: {
			displayName: 'Inline',
			name: 'inline',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'secretHeader' }],
			properties: [{ displayName: 'Text', name: 'text', type: 'string', default: 'default text' }],
		},
		execute,
	};
}

const passOn = nodeType(async function () {
	return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
});

const readText = nodeType(async function () {
	return [
		this.getInputData().map((_, item) => ({
			json: { text: this.getNodeParameter('text', item) },
			pairedItem: { item },
		})),
	];
});

const names = [{ json: { name: 'Asha' } }, { json: { name: 'Ravi' } }];

test('expressions find the paired item of an earlier node', async () => {
	const { output } = await runWorkflow({
		nodes: [
			{ name: 'First', type: 'passOn' },
			{
				name: 'Second',
				type: 'readText',
				parameters: { text: "=Hi {{ $('First').item.json.name }}" },
			},
		],
		connections: { First: { main: [[{ node: 'Second', type: 'main', index: 0 }]] } },
		nodeTypes: { passOn, readText },
		input: names,
	});

	expect(output('Second').map(({ json }) => json.text)).toEqual(['Hi Asha', 'Hi Ravi']);
	expect(output('Second').map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

test('a parameter that the workflow does not set has its default', async () => {
	const { output } = await runWorkflow({
		nodes: [{ name: 'Only', type: 'readText' }],
		nodeTypes: { readText },
	});

	expect(output('Only')[0].json).toEqual({ text: 'default text' });
});

test('Retry On Fail runs the node again, and its context remembers', async () => {
	const failsOnce = nodeType(async function () {
		const context = this.getContext('node');
		context.tries = Number(context.tries ?? 0) + 1;
		if (context.tries === 1) throw new NodeOperationError(this.getNode(), 'Not yet');
		return [[{ json: { tries: context.tries } }]];
	});
	const { run, output } = await runWorkflow({
		nodes: [{ name: 'Only', type: 'failsOnce', retryOnFail: true, waitBetweenTries: 1 }],
		nodeTypes: { failsOnce },
	});

	expect(run.status).toBe('success');
	expect(output('Only')[0].json).toEqual({ tries: 2 });
});

describe('an error', () => {
	const fails = nodeType(async function () {
		if (this.continueOnFail()) {
			return [[{ json: { error: { message: 'Refused' } }, pairedItem: { item: 0 } }]];
		}
		throw new NodeOperationError(this.getNode(), 'Refused');
	});

	test('stops the workflow', async () => {
		const { run, output } = await runWorkflow({
			nodes: [{ name: 'Only', type: 'fails' }],
			nodeTypes: { fails },
		});

		expect(run.status).toBe('error');
		expect(run.data.resultData.error?.message).toBe('Refused');
		expect(output('Only')).toEqual([]);
	});

	test('goes to the error output with "continue on error"', async () => {
		const { run, output } = await runWorkflow({
			nodes: [{ name: 'Only', type: 'fails', onError: 'continueErrorOutput' }],
			nodeTypes: { fails },
			input: names,
		});

		expect(run.status).toBe('success');
		expect(output('Only', 0)).toEqual([]);
		expect(output('Only', 1)[0].json.error).toEqual({ message: 'Refused' });
	});
});

describe('requests', () => {
	let server: Server;
	let url: string;

	beforeAll(async () => {
		server = createServer((request, response) => {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ secret: request.headers.secret ?? null }));
		});
		url = await listen(server);
	});

	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	function asks(target: () => string) {
		return nodeType(async function () {
			const answer = await this.helpers.httpRequestWithAuthentication.call(this, 'secretHeader', {
				url: target(),
			});
			return [[{ json: answer }]];
		});
	}

	test('carry what the credential adds', async () => {
		const { output } = await runWorkflow({
			nodes: [{ name: 'Only', type: 'asks' }],
			nodeTypes: { asks: asks(() => url) },
			credentials: [{ type: secretHeader, data: { secret: 'abc' } }],
		});

		expect(output('Only')[0].json).toEqual({ secret: 'abc' });
	});

	test('never leave this machine', async () => {
		const { run } = await runWorkflow({
			nodes: [{ name: 'Only', type: 'asks' }],
			nodeTypes: { asks: asks(() => 'https://api.example.com/') },
			credentials: [{ type: secretHeader, data: { secret: 'abc' } }],
		});

		expect(JSON.stringify(run.data.resultData.error)).toContain(
			'Tests reach loopback addresses only, not api.example.com.',
		);
	});
});
