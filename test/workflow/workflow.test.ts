import {
	NodeOperationError,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { createServer, type Server } from 'node:http';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { runWorkflow, type WorkflowToRun } from '../support/engine.ts';
import { MISBEHAVIORS, startFaultServer, type FaultServer } from '../support/faultServer.ts';
import { listen } from '../support/listen.ts';
import { API_KEY, SEND } from '../support/runNode.ts';

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

describe('a loop', () => {
	const ROUNDS = 3;

	/** Puts out the same batch several times, then what came back. */
	function loopOver(batch: IDataObject[], rounds: number): INodeType {
		return {
			description: {
				displayName: 'Loop',
				name: 'loop',
				group: ['transform'],
				version: 1,
				description: '',
				defaults: {},
				inputs: ['main'],
				outputs: ['main', 'main'],
				properties: [],
			},
			async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const memory = this.getContext('node');
				memory.round = Number(memory.round ?? 0) + 1;
				const items = batch.map((json, item) => ({ json, pairedItem: { item } }));
				return memory.round <= rounds ? [items, []] : [[], this.getInputData()];
			},
		};
	}

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'sends each item of each round once, with Retry On Fail and %s',
		async (onError) => {
			const failing = '+14155552671';
			const server = await startFaultServer((_, body) =>
				body.includes(failing) ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
			);
			const batch = [{ to: failing }, { to: '+14155552672' }, { to: '+14155552673' }];
			const back = [{ node: 'Loop', type: 'main' as const, index: 0 }];
			await runWorkflow({
				nodes: [
					{ name: 'Loop', type: 'loop' },
					{
						name: 'Send',
						type: 'businessMessaging',
						parameters: { ...SEND, options: { requestsPerMinute: 0 } },
						onError,
						retryOnFail: true,
						maxTries: 3,
						waitBetweenTries: 1,
					},
				],
				connections: {
					Loop: { main: [[{ node: 'Send', type: 'main', index: 0 }]] },
					Send: { main: onError === 'continueErrorOutput' ? [back, back] : [back] },
				},
				nodeTypes: { loop: loopOver(batch, ROUNDS), businessMessaging: new BusinessMessaging() },
				credentials: [
					{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
				],
			});
			await server.close();
			const counts = batch.map(
				({ to }) => server.received.filter((body) => body.includes(to)).length,
			);
			expect(counts).toEqual([ROUNDS, ROUNDS, ROUNDS]);
		},
	);
});

describe('a question', () => {
	const ASK = {
		...SEND,
		operation: 'sendAndWait',
		to: '+14155552671',
		variablesInput: 'json',
		variablesJson: '{"1": "[link]"}',
		message: 'May we?',
		options: { requestsPerMinute: 0 },
	};

	let server: FaultServer;

	/** The first message may have gone, and each one after it has. */
	beforeEach(async () => {
		server = await startFaultServer((number) =>
			number === 0 ? MISBEHAVIORS.resetAfterSending : MISBEHAVIORS.sent,
		);
	});

	afterEach(async () => await server.close());

	async function ask(node: Partial<WorkflowToRun['nodes'][0]>, connections = {}) {
		await runWorkflow({
			nodes: [{ name: 'Ask', type: 'businessMessaging', parameters: ASK, ...node }],
			connections,
			nodeTypes: {
				businessMessaging: new BusinessMessaging(),
				businessMessagingHitlTool: new BusinessMessaging(),
			},
			credentials: [
				{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
			],
		});
		return server.received.map((body) => /https?:[^"]*/.exec(body)?.[0]);
	}

	// SECURITY, The link of a question: an earlier one answers no later question
	it('the link of a message that may have gone does not answer the next question', async () => {
		const links = await ask(
			{ onError: 'continueErrorOutput' },
			{ Ask: { main: [[], [{ node: 'Ask', type: 'main', index: 0 }]] } },
		);
		expect(links).toEqual([expect.stringContaining('round='), expect.stringContaining('round=')]);
		expect(links[0]).not.toBe(links[1]);
	});

	// README, Good to know: Retry On Fail sends only the rest
	it.each(['businessMessaging', 'businessMessagingHitlTool'])(
		'%s: a second try does not ask again what may have been asked',
		async (type) => {
			const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			expect(await ask({ type, ...settings })).toHaveLength(1);
		},
	);
});
