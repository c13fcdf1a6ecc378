import type { IExecuteFunctions } from 'n8n-workflow';
import { type Clock, HOUR_MS } from '../clock';
import { causeNamed } from '../errors/catalogue';
import { failed, type Failed, failureOf } from '../errors/failure';
import { statesOf } from '../layouts';
import { internalsOf, isTool } from '../n8n';
import type { SentBeforeOutcome } from '../outcome';
import { type Claim, Claims, type Look } from './claims';
import { digestOf, isPermanent, newOwner, type Rows } from './rows';

export interface ToolMessage {
	/** Its template and recipient. */
	kind: unknown;
	/** All that is sent. Undefined for a question, which may be asked again. */
	content?: unknown;
	/** Its outcome, if an earlier call sent it. */
	sentBefore: SentBeforeOutcome;
}

type Instead = SentBeforeOutcome | Failed;

interface ToolClaim extends Claim {
	/** The row of the content, once it was sent. None of a question. */
	sent: string[];
}

const { entriesOf, stateOf } = statesOf([
	/** A call is sending a message of the kind, unless it was killed. */
	'open',
	/** Nobody will find out whether one was sent. */
	'unknown',
	/** Of a content. */
	'sent',
]);

/**
 * What an agent's tool has sent. A model can repeat a call, even in the same step, and n8n hides some calls from it.
 *
 * Within a scope a message is sent once (see openToolLedger), and one message of a kind at a time. The row of the kind
 * is there from before the request. It stays if the outcome is unknown, because the model may then try other words. A
 * message that was sent gets a row of its own before that of its kind goes, so whoever has claimed the kind sees it.
 */
export class ToolLedger extends Claims<ToolMessage, ToolClaim, Instead> {
	protected readonly option = 'sent messages';
	/** The rows that stay when the call has ended. */
	readonly made = new Set<string>();

	/** @param scopes a call claims in the first one, and respects them all */
	constructor(
		openRows: () => Promise<Rows>,
		clock: Clock,
		private readonly scopes: () => string[],
	) {
		super(openRows, clock);
	}

	protected nameOf({ kind }: ToolMessage): string {
		return toolRowOf(this.scopes()[0], kind);
	}

	protected async look(message: ToolMessage): Promise<Look<ToolClaim, Instead>> {
		const { content, sentBefore } = message;
		const states = await this.statesOf(message);
		if (states.has('sent')) return { instead: sentBefore, isOpen: false };
		if (states.size > 0) return { instead: IN_DOUBT, isOpen: states.has('open') };
		const sent = content === undefined ? [] : [toolRowOf(this.scopes()[0], content)];
		return { free: { row: this.nameOf(message), owner: newOwner(), sent } };
	}

	protected async take(message: ToolMessage, { row, owner }: ToolClaim): Promise<boolean> {
		const rows = await this.openRows();
		if (!(await rows.create(row, owner, entriesOf('open')))) return false;
		if ((await this.statesOf(message, row)).size === 0) return true;
		await rows.remove(row);
		return false;
	}

	protected async keep(_: ToolMessage, { row, owner, sent }: ToolClaim, state: 'ended' | 'open') {
		const rows = await this.openRows();
		if (state === 'open') {
			this.made.add(row);
			await rows.create(row, owner, entriesOf('unknown'));
			return;
		}
		for (const each of sent) {
			this.made.add(each);
			await rows.insert(each, owner, entriesOf('sent'));
		}
		await rows.remove(row);
	}

	protected async release({ row, owner, sent }: ToolClaim): Promise<void> {
		const rows = await this.openRows();
		for (const each of sent) await rows.remove(each);
		// It may be another call's by now.
		if (await rows.create(row, owner)) await rows.remove(row);
	}

	/** Of the rows that there are. @param own the row of the kind that is this call's */
	private async statesOf({ kind, content }: ToolMessage, own?: string) {
		const rows = await this.openRows();
		const states = new Set<ReturnType<typeof stateOf>>();
		for (const scope of this.scopes()) {
			// The kind before the content, whose row is there when that of the kind goes.
			for (const each of content === undefined ? [kind] : [kind, content]) {
				const row = toolRowOf(scope, each);
				if (row !== own) states.add(stateOf(await rows.count(row)));
			}
		}
		states.delete('none');
		return states;
	}
}

function toolRowOf(scope: string, content: unknown): string {
	return `tool:${scope}:${digestOf(JSON.stringify(content))}`;
}

const IN_DOUBT = failed(failureOf(causeNamed('earlierCallUnknown'), 'unknown'));

/**
 * A scope is an execution with its Retries. To clients of MCP Server Trigger, where each call is an execution, it is an
 * hour, and they also respect the one before, and the one after, of a process whose clock is ahead.
 * @returns undefined if no agent calls the node, or n8n gives it no rows
 */
export async function openToolLedger(
	context: IExecuteFunctions,
	openRows: () => Promise<Rows>,
	clock: Clock,
): Promise<ToolLedger | undefined> {
	const node = context.getNode();
	const { parentNode, additionalData } = internalsOf(context);
	if (!isTool(node)) return undefined;
	try {
		await openRows();
	} catch (error) {
		if (isPermanent(error)) return undefined;
	}
	// Missing in older versions of n8n.
	const begun = context.getExecutionContext?.()?.establishedAt ?? context.getExecutionId();
	if (parentNode?.type.endsWith('.mcpTrigger') || !begun) {
		return new ToolLedger(openRows, clock, () => {
			const hour = Math.floor(clock.now() / HOUR_MS);
			return [hour, hour - 1, hour + 1].map((each) => `${node.id}:mcp:${each}`);
		});
	}
	const ledger = new ToolLedger(openRows, clock, () => [`${node.id}:${begun}`]);
	additionalData?.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => {
		// Nobody retries it. n8n does not wait for it; what stays costs some bytes.
		if (status === 'success') void removeAll(openRows, ledger.made).catch(() => undefined);
	});
	return ledger;
}

async function removeAll(openRows: () => Promise<Rows>, names: Iterable<string>): Promise<void> {
	const rows = await openRows();
	for (const name of names) await rows.remove(name);
}
