import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../../clock';
import { missingCredential } from '../../errors/credentialErrors';
import type { Failed } from '../../errors/failure';
import { InputError, quote } from '../../errors/inputError';
import { failureFromInput } from '../../errors/nodeError';
import type { Connection } from '../../transport/connection';
import type { Operation, RunOptions } from '../operation';
import type { ConnectionOf } from './connections';
import { nameField } from './nameField';

export type Reading = { job: unknown; connection: Connection } | Failed;

/**
 * Reading 100,000 items takes more than a minute. In between, n8n gets to what else it has to do:
 * answer webhooks and the editor, and tell that a worker is alive.
 */
const MAX_SILENCE_MS = 50;

/** @returns one reading per item, in their order; fewer when the execution was canceled */
export async function readItems(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
	options: RunOptions,
	connectionOf: ConnectionOf,
	clock: Clock,
): Promise<Reading[]> {
	const canceled = context.getExecutionCancelSignal();
	const readings: Reading[] = [];
	const accountOfKey = new Map<string, Connection>();
	let silentSince = clock.ticks();
	for (const itemIndex of context.getInputData().keys()) {
		try {
			const job = operation.read(context, itemIndex, clock.now(), options);
			const connection = await connectionOf(itemIndex);
			const key = operation.onceKey?.(job)?.key;
			if (key !== undefined) demandOneAccount(key, connection, accountOfKey);
			readings.push({ job, connection });
		} catch (error) {
			const field = nameField(context, itemIndex, operation.fields, error);
			const failure = failureFromInput(asInputError(error, field), operation.purpose);
			readings.push({ failure });
		}
		if (clock.ticks() - silentSince < MAX_SILENCE_MS) continue;
		await clock.sleep(0);
		if (canceled?.aborted) return readings;
		silentSince = clock.ticks();
	}
	return readings;
}

/** A key stands for one message. Two accounts that happen to have the same need two messages. */
function demandOneAccount(
	key: string,
	connection: Connection,
	accountOfKey: Map<string, Connection>,
): void {
	const account = accountOfKey.get(key) ?? connection;
	accountOfKey.set(key, account);
	if (account === connection) return;
	throw new InputError(
		`An item of another account has the same Send Once Key ${quote(key)}`,
		'Add the account to the key, such as {{ $json.tenant }}-{{ $json.orderNumber }}.',
	);
}

/**
 * What n8n throws while it computes an expression or reads the credential is about the user's input as well.
 * @param field that has the expression, as the editor calls it
 */
export function asInputError(error: unknown, field?: string): InputError {
	if (error instanceof InputError) return error;
	const { message, description } = error as { message?: unknown; description?: unknown };
	const isText = typeof message === 'string' && message !== '';
	const missing = isText && missingCredential(message);
	if (missing) return missing;
	return new InputError(
		field
			? `The expression in ${field} can't be computed${isText ? `: ${message}` : ''}`
			: isText
				? message
				: 'A parameter could not be read',
		typeof description === 'string' && description
			? description
			: `Check the ${field ? 'expression in this field' : 'expressions of this node'}.`,
	);
}
