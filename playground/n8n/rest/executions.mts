import { randomInt } from 'node:crypto';
import { eventually } from '../../eventually.mts';
import type { Session } from './session.mts';

export interface OutputItem {
	json: Record<string, unknown>;
	pairedItem?: { item: number };
}

interface NodeRun {
	executionStatus: string;
	/** In ms. */
	executionTime: number;
	data?: { main: Array<OutputItem[] | null> };
	error?: { message: string; description?: string | null };
	/** What the editor shows above the output. */
	hints?: Array<{ message: string }>;
}

export interface Execution {
	id: string;
	status: 'new' | 'running' | 'success' | 'error' | 'crashed' | 'canceled' | 'waiting';
	mode: string;
	workflowId: string;
	/** ISO 8601, while it waits. */
	waitTill?: string | null;
	/** What nodes have stored to find it by. */
	customData?: Record<string, string>;
	data: {
		resultData: {
			runData: Record<string, NodeRun[]>;
			lastNodeExecuted?: string;
			error?: { message: string };
		};
	};
}

interface ApiKey {
	id: string;
	label: string;
}

/** The public API gives run data in plain form; the editor's own gives it flattened. */
async function createApiKey(session: Session, keyLabel: string) {
	// By itself n8n gives ten of them.
	const path = '/api-keys?take=250';
	const keys = await session.call<ApiKey[] | { items: ApiKey[] }>('GET', path);
	// n8n 1.x gives the bare list.
	const all = Array.isArray(keys) ? keys : keys.items;
	for (const { id } of all.filter(({ label }) => label === keyLabel)) {
		await session.call('DELETE', `/api-keys/${id}`);
	}
	const { rawApiKey } = await session.call<{ rawApiKey: string }>('POST', '/api-keys', {
		label: keyLabel,
		scopes: ['execution:list', 'execution:read'],
		expiresAt: aYearFromNow(),
	});
	return rawApiKey;
}

/** In seconds, and not twice the same: n8n 1.x makes equal keys in one second, and refuses the second. */
function aYearFromNow() {
	return Math.floor(Date.now() / 1000) + 365 * 24 * 60 * 60 + randomInt(1_000_000);
}

/** @param keyLabel a key of that label is replaced: n8n shows a key only once */
export async function executions(session: Session, keyLabel: string) {
	const apiKey = await createApiKey(session, keyLabel);
	async function get<T>(query: Record<string, string>) {
		const response = await fetch(`${session.url}/api/v1/executions?${new URLSearchParams(query)}`, {
			headers: { 'X-N8N-API-KEY': apiKey },
		});
		if (!response.ok) throw new Error(`n8n answered ${response.status} to a list of executions.`);
		return ((await response.json()) as { data: T[] }).data;
	}
	/** As the editor's list asks for them; the newest of them with its ID. */
	async function listed(workflowId: string, status: Array<Execution['status']>) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const path = `/executions?filter=${filter}&limit=1`;
		return await session.call<{ count: number; results: Array<{ id: string }> }>('GET', path);
	}
	return {
		/** Newest first, at most 250, with the data of every node. */
		async list(workflowId: string, limit = 250) {
			const query = { workflowId, includeData: 'true', limit: String(limit) };
			return await get<Execution>(query);
		},

		/** As the editor's button does it. */
		async stop(id: string): Promise<void> {
			await session.call('POST', `/executions/${id}/stop`, {});
		},

		/**
		 * As Retry in the list of executions does it, until the new one has ended.
		 * @param loadWorkflow with the currently saved workflow, instead of the original one
		 */
		async retry(id: string, loadWorkflow = false): Promise<{ id: string }> {
			return await session.call('POST', `/executions/${id}/retry`, { loadWorkflow });
		},

		/** The run data as n8n stores it. */
		async stored(id: string): Promise<string> {
			return (await session.call<{ data: string }>('GET', `/executions/${id}`)).data;
		},

		/** Those that have finished, up to 250. */
		async count(workflowId: string) {
			const query = { workflowId, limit: '250' };
			const all = await get<{ stoppedAt: string | null }>(query);
			// n8n 1.x lists those that are about to start as well.
			return all.filter(({ stoppedAt }) => stoppedAt).length;
		},

		/** Also those that have not finished. */
		async countOf(workflowId: string, status: Array<Execution['status']>): Promise<number> {
			return (await listed(workflowId, status)).count;
		},

		/** The ID of the newest that has not finished. */
		async running(workflowId: string): Promise<string | undefined> {
			return (await listed(workflowId, ['running'])).results[0]?.id;
		},

		/** Waits until none is queued or running. */
		async allEnded(workflowId: string, timeoutMs = 60_000): Promise<void> {
			const unfinished = async () => await this.countOf(workflowId, ['new', 'running']);
			await eventually(
				'the end of all executions',
				async () => (await unfinished()) === 0,
				timeoutMs,
			);
		},
	};
}

/** The items that a node put out in its last run. */
export function outputOf(execution: Execution, node: string, output = 0) {
	const runs = execution.data.resultData.runData[node] ?? [];
	return (runs.at(-1)?.data?.main[output] ?? []).map(({ json }) => json);
}
