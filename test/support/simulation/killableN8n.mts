import fc from 'fast-check';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPairedItemData,
	IRunData,
} from 'n8n-workflow';
import { sendTemplate } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';
import { runItems } from '../../../nodes/BusinessMessaging/run/runItems';
import { contextOn, ProcessedData } from '../processedData.mts';
import { EXECUTION, NODE } from '../sendNode.mts';
import { createVirtualClock } from '../virtualClock.mts';

export interface Row {
	/** By its number: the account that sends it. */
	tenant: number;
	to: string;
	value: string;
}

/** `closed`: the API sends the message and closes the connection. `undelivered`: it accepts the message in vain. */
const anyAnswer = fc.constantFrom(
	'sent',
	'sent',
	'sent',
	'refused',
	'rateLimited',
	'closed',
	'undelivered',
);

/** What can be set of an n8n, and of what it meets. */
export const anySettings = {
	answers: fc.array(anyAnswer, { minLength: 1, maxLength: 5 }),
	batchSize: fc.constantFrom(Infinity, Infinity, 2, 3),
	concurrency: fc.constantFrom(1, 2, 5),
	goesOn: fc.boolean(),
	/** n8n stores the data of an execution after each of its nodes. */
	savesProgress: fc.boolean(),
	/** Between the rounds of a loop the execution waits, so that n8n stores it and starts it anew. */
	waits: fc.boolean(),
	/** Whether messages have Send Once Keys. `ofExecution`: each execution gives them other ones. */
	keys: fc.constantFrom('never', 'never', 'always', 'inRetries', 'ofExecution'),
	/** n8n tells when the first execution of a Retry began. */
	tellsBeginning: fc.boolean(),
	/** Category is Auto, and the node waits until the network says that a customer's window is closed. */
	fallsBack: fc.boolean(),
	/** Each item has the credential of its tenant. */
	hasTenants: fc.boolean(),
	/** INR. */
	spendingLimit: fc.constantFrom(Infinity, 0.25, 0.5),
	/** How long each point takes. */
	pointMs: fc.constantFrom(1, 1, 2000),
	/** n8n takes an execution for dead that it has retried after GIVEN_UP_MS, and does not store its end. */
	givesUp: fc.boolean(),
};

type Arbitraries = typeof anySettings;
export type Settings = {
	[Name in keyof Arbitraries]: Arbitraries[Name] extends fc.Arbitrary<infer T> ? T : never;
};

const GIVEN_UP_MS = 30_000;
/** A caller with fewer points left is killed in a node behind its calls. */
const DIES_BEHIND = 20;

/** Their service window is closed, though the sheet says that they have just written. */
const CLOSED = /0$/;

const PRICE = 0.115;

/** What n8n has of an execution in its database: from its beginning on, and from its end unless it was killed. */
interface Stored {
	context: IDataObject;
	runData: IRunData;
	/** Of the loop. Undefined: it begins at the trigger. */
	round?: { rows: Row[]; rest: Row[] };
}

/** An execution that calls the workflow for one sheet after the other. */
export interface Caller {
	id: string;
	establishedAt: number;
	isRetry: boolean;
	/** What n8n has stored as the next that it does: all of it, a node in front of the calls, or the calls. */
	next: 'trigger' | 'nodeBefore' | 'calls';
	status: Status;
}

type Status = 'running' | 'killed' | 'error' | 'success';

export interface Execution {
	id: string;
	parent?: Execution;
	caller?: Caller;
	establishedAt: number;
	stored: Stored;
	/** `never`: n8n has not begun it. */
	status: Status | 'never';
	isGivenUp?: boolean;
	/** What a Retry runs with, unless it is changed. */
	sheet: Row[];
	/** Of the rows that it ran with, if it was not killed. */
	outputs: Array<{ row: Row; json: IDataObject }>;
	error?: string;
}

interface Message extends Row {
	/** INR. */
	cost: number;
	reachesCustomer: boolean;
}

const SENDER = { ...NODE, credentials: { businessMessagingApi: { id: '1', name: 'Account' } } };

let scenes = 0;

/** n8n with a trigger that gives rows, a loop, a node that sends them, and a node behind; each execution can be killed. */
export function killableN8n(settings: Settings) {
	const clock = createVirtualClock();
	const scene = ++scenes;
	const table = new ProcessedData();
	const executions: Execution[] = [];
	const callers: Caller[] = [];
	/** The messages that the API has sent. */
	const ledger: Message[] = [];
	let requests = 0;

	/** Everything that a process does outside of itself is two points, before and after. Killed at one, it does no more. */
	function mortal(points: number) {
		let killed = (): void => undefined;
		let left = points;
		return {
			death: new Promise<'killed'>((resolve) => (killed = () => resolve('killed'))),
			async point(): Promise<void> {
				if (left-- > 0) return await clock.sleep(settings.pointMs);
				killed();
				await new Promise(() => undefined);
			},
			get pointsLeft() {
				return left;
			},
		};
	}

	async function answer(tenant: number, { method, url, body }: Record<string, string>) {
		const full = (statusCode: number, data?: object) => ({
			statusCode,
			headers: {},
			body: JSON.stringify({ success: statusCode === 200, data }),
		});
		if (method === 'GET') {
			const [id] = /m\d+$/.exec(url)!;
			const { reachesCustomer } = ledger[Number(id.slice(1)) - 1];
			const status = reachesCustomer
				? { status: 'delivered' }
				: { status: 'failed', error: { code: 131047 } };
			return full(200, { message_id: id, ...status });
		}
		const { to, category, templateVariables } = JSON.parse(body);
		const kind = settings.answers[requests++ % settings.answers.length];
		if (kind === 'refused') return full(400);
		if (kind === 'rateLimited') return full(429);
		const amount = category === 'service' ? 0 : PRICE;
		const reachesCustomer = kind !== 'undelivered' && (amount > 0 || !CLOSED.test(to));
		ledger.push({ tenant, to, value: templateVariables['1'], cost: amount, reachesCustomer });
		if (kind === 'closed') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const cost = { amount, currency: 'INR' };
		const status = kind === 'undelivered' ? 'failed' : 'sent';
		return full(200, { message_id: `m${ledger.length}`, to, category, cost, status });
	}

	/**
	 * Each execution has a rate limiter of its own, because a kill takes it away, too: another address, or other keys of
	 * its tenants.
	 */
	const credentialOf = (execution: string, tenant: number) =>
		settings.hasTenants
			? { baseUrl: 'https://api.example.com', apiKey: `key-${scene}-${tenant}-${execution}` }
			: { baseUrl: `https://${execution}.example.com`, apiKey: `key-${scene}-0` };

	/** @param kills after so many points @param startsAfterMs 1 ms is one point @returns the number of points */
	async function run(
		execution: Execution,
		sheet: Row[],
		kills = Infinity,
		startsAfterMs = 0,
	): Promise<number> {
		const life = mortal(kills);
		const { parent } = execution;
		execution.sheet = sheet;
		if (startsAfterMs > 0) await clock.sleep(startsAfterMs * settings.pointMs);
		if (parent && startsAfterMs > 0) {
			// n8n does not retry what has succeeded.
			if (parent.status === 'success') {
				execution.status = 'never';
				return 0;
			}
			execution.stored = structuredClone(parent.stored);
		}
		const ageMs = clock.now() - execution.establishedAt;
		if (parent?.status === 'running' && settings.givesUp && ageMs >= GIVEN_UP_MS) {
			parent.isGivenUp = true;
		}
		const work = live(execution, sheet, life.point);
		const ended = await Promise.race([work, life.death]);
		if (ended === 'killed' && execution.status === 'running') execution.status = 'killed';
		return kills - life.pointsLeft;
	}

	async function live(execution: Execution, sheet: Row[], point: () => Promise<void>) {
		const live = structuredClone(execution.stored);
		const { context, runData } = live;
		const { caller } = execution;
		let handlers: Array<(end: { status: string }) => unknown> = [];
		const newHooks = (retryOf?: string) => ({
			retryOf,
			addHandler: (_: string, handler: (typeof handlers)[number]) => handlers.push(handler),
		});
		let hooks = newHooks(execution.parent?.id);
		const { context: onTable } = contextOn(new ProcessedData(point, point, table), NODE.id, 'w');
		/** The latest run of a node, as what it runs next has it as its source. */
		const latest = (previousNode: string) => ({
			previousNode,
			previousNodeRun: runData[previousNode].length - 1,
		});
		const ranAt = (node: string, behind?: string) => {
			const source = [behind ? latest(behind) : null];
			const ran = { source, startTime: clock.now(), executionStatus: 'success' };
			(runData[node] ??= []).push(ran as never);
		};
		const store = async (status: 'error' | 'success' | 'waiting') => {
			if (status !== 'waiting') execution.status = status;
			if (!execution.isGivenUp) execution.stored = structuredClone(live);
			for (const handler of handlers) handler({ status });
			// What the handlers remove.
			await clock.sleep(1000);
		};
		const { batchSize } = settings;
		const roundOf = (left: Row[]) => ({
			rows: left.slice(0, batchSize),
			rest: left.slice(batchSize),
		});
		await point();
		if (!live.round) {
			ranAt('Trigger');
			ranAt('Loop', 'Trigger');
			live.round = roundOf(sheet);
		}
		for (;;) {
			const { rows, rest }: NonNullable<Stored['round']> = live.round;
			const given = {
				...EXECUTION,
				...onTable,
				getNodeParameter: (path: string, index: number, fallback: unknown) =>
					parameter(execution, path, rows[index], fallback),
				getInputData: () => rows.map((json) => ({ json })),
				getNode: () => SENDER,
				getExecuteData: () => ({
					...onTable.getExecuteData(),
					source: { main: [latest('Loop')] },
				}),
				getWorkflow: EXECUTION.getWorkflow,
				getParentNodes: () => (batchSize < Infinity ? [{ name: 'Loop' }] : []),
				getChildNodes: () => [{ name: 'Loop' }],
				getMode: () => (execution.parent ? 'retry' : caller ? 'integrated' : 'webhook'),
				getExecutionId: () => execution.id,
				getExecutionContext: () =>
					settings.tellsBeginning ? { establishedAt: execution.establishedAt } : undefined,
				getExecutionDataById: async (id: string) => {
					const found = callers.find((each) => each.id === id);
					if (found) return storedCaller(found);
					const { stored, status } = executions[Number(id) - 1];
					if (status !== 'error') return { resultData: { runData: stored.runData } };
					const error = { message: 'A message was not sent' };
					const Send = [...(stored.runData.Send ?? []), { error }];
					const runData = { ...stored.runData, Send };
					return { resultData: { runData, lastNodeExecuted: 'Send', error } };
				},
				additionalData: {
					hooks,
					rootExecutionMode: caller?.isRetry ? 'retry' : 'webhook',
					credentialsHelper: {
						getDecrypted: async () => ({
							baseUrl: 'https://api.example.com',
							apiKey: settings.hasTenants ? '={{ $json.key }}' : 'key',
						}),
					},
				},
				runExecutionData: {
					resultData: { runData },
					...(caller ? { parentExecution: { executionId: caller.id } } : {}),
				},
				getContext: (of: string) => (context[of] ??= {}),
				getWorkflowDataProxy: () => ({ $runIndex: runData.Send?.length ?? 0 }),
				getCredentials: async (_: string, item: number) =>
					credentialOf(execution.id, settings.hasTenants ? rows[item].tenant : 0),
				continueOnFail: () => settings.goesOn,
				helpers: {
					...onTable.helpers,
					httpRequestWithAuthentication: async (
						_: string,
						request: Record<string, string>,
						{ credentialsDecrypted: { data } }: { credentialsDecrypted: { data: IDataObject } },
					) => {
						const tenant = Number(String(data.apiKey).split('-')[2]);
						await point();
						const answered = await answer(tenant, request);
						await point();
						return answered;
					},
				},
			};
			let outputs: INodeExecutionData[][];
			try {
				outputs = await runItems(given as unknown as IExecuteFunctions, sendTemplate, clock);
			} catch (error) {
				execution.error = (error as Error).message;
				return await store('error');
			}
			execution.outputs.push(
				...outputs.flat().map(({ json, pairedItem }) => {
					return { row: rows[(pairedItem as IPairedItemData).item], json };
				}),
			);
			ranAt('Send', 'Loop');
			// A Retry runs the node again if n8n is killed in the node behind.
			if (settings.savesProgress) execution.stored = structuredClone(live);
			await point();
			if (rest.length === 0) return await store('success');
			live.round = roundOf(rest);
			ranAt('Loop', 'Send');
			if (settings.savesProgress) execution.stored = structuredClone(live);
			if (!settings.waits) continue;
			await point();
			await store('waiting');
			await point();
			handlers = [];
			hooks = newHooks();
		}
	}

	/** As n8n stores it at its beginning. */
	function storedCaller({ establishedAt, next }: Caller) {
		const type = next === 'calls' ? 'executeWorkflow' : 'set';
		return {
			executionData: {
				runtimeData: { establishedAt },
				nodeExecutionStack: [{ node: { type: `n8n-nodes-base.${type}` } }],
			},
			resultData: { runData: next === 'trigger' ? {} : { Trigger: [] } },
		};
	}

	/** Each call begins when the one before has ended well. @param kills after so many points of all calls */
	async function call(caller: Caller, sheets: Row[][], kills = Infinity, startsAfterMs = 0) {
		await clock.sleep(startsAfterMs);
		if (settings.savesProgress) caller.next = 'calls';
		let left = kills;
		for (const sheet of sheets) {
			await clock.sleep(1);
			const called = begin(undefined, undefined, caller);
			left -= await run(called, sheet, left);
			if (called.status === 'killed') return void (caller.status = 'killed');
			if (called.status !== 'success')
				return void Object.assign(caller, { next: 'calls', status: 'error' });
		}
		caller.status = left < DIES_BEHIND ? 'killed' : 'success';
	}

	async function together(works: Array<() => Promise<unknown>>) {
		await clock.run(Promise.all(works.map(async (work) => await work())));
	}

	function begin(parent?: Execution, twin?: Execution, caller = parent?.caller): Execution {
		const execution: Execution = {
			id: String(executions.length + 1),
			parent,
			caller,
			establishedAt: (parent ?? twin)?.establishedAt ?? clock.now(),
			stored: structuredClone(parent?.stored ?? { context: {}, runData: {} }),
			status: 'running',
			sheet: [],
			outputs: [],
		};
		executions.push(execution);
		return execution;
	}

	function parameter(execution: Execution, path: string, row: Row, fallback: unknown) {
		const { concurrency, spendingLimit, fallsBack, keys } = settings;
		const own = keys === 'ofExecution' ? execution.id : '';
		const hasKey = keys === 'inRetries' ? execution.parent !== undefined : keys !== 'never';
		const options = {
			concurrency,
			requestsPerMinute: 0,
			...(spendingLimit < Infinity ? { spendingLimit } : {}),
			...(fallsBack ? { waitFor: 'delivered', waitTimeout: 10 } : {}),
			...(hasKey ? { sendOnceKey: `${own}${row?.tenant}-${row?.to}-${row?.value}` } : {}),
		};
		const values: Record<string, unknown> = {
			...options,
			options,
			to: row?.to,
			templateName: 'order_update',
			category: fallsBack ? 'auto' : 'utility',
			customerLastMessageAt: new Date(clock.now() - 60_000).toISOString(),
			fallbackCategory: 'utility',
			variablesInput: 'json',
			variablesJson: { 1: row?.value },
		};
		return values[path.replace(/^(options|expertOptions)\./, '')] ?? fallback;
	}

	return {
		clock,
		executions,
		callers,
		ledger,
		table,
		/** @param twin another first execution, which began in the same millisecond */
		begin(parent?: Execution, twin?: Execution): Execution {
			clock.pass(1000);
			return begin(parent, twin);
		},
		beginCaller(retried?: Caller): Caller {
			clock.pass(1000);
			const caller: Caller = {
				id: `caller ${callers.length + 1}`,
				establishedAt: retried?.establishedAt ?? clock.now(),
				isRetry: retried !== undefined,
				next: retried?.next ?? 'trigger',
				status: 'running',
			};
			callers.push(caller);
			return caller;
		},
		call,
		/** All at the same time. */
		run: async (...begun: Array<Parameters<typeof run>>) =>
			await together(begun.map((each) => async () => await run(...each))),
		together,
		execute: run,
	};
}
