import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { InputError } from '../inputError';
import { readConnection } from '../transport/connection';
import type { Connection } from '../transport/connection';
import { failureFromInput, toNodeError } from '../transport/errors';
import { createExchange, CREDENTIAL } from '../transport/request';
import { OPERATIONS } from './index';
import type { Operation, Result, Session } from './operation';

type Reading = { job: unknown } | Extract<Result, { failure: unknown }>;

/**
 * Runs the node's operation for every item: all items are read and checked first, so that a wrong
 * row 4,000 is not found after 3,999 paid messages.
 * @returns one result per item, in their order; failures only with "continue on error"
 * @throws NodeApiError, NodeOperationError naming the item, without "continue on error"
 */
export async function runItems(context: IExecuteFunctions): Promise<Result[]> {
	const operation = chosenOperation(context);
	const connection = await openConnection(context);
	const readings = context.getInputData().map((_, itemIndex) => readItem(context, operation, itemIndex));
	if (!context.continueOnFail()) refuseWrongItems(context, readings);

	const session: Session = { connection, exchange: createExchange(context), now: Date.now };
	const results: Result[] = [];
	for (const [itemIndex, reading] of readings.entries()) {
		const result = 'job' in reading ? await operation.run(reading.job, session) : reading;
		if ('failure' in result && !context.continueOnFail()) {
			throw toNodeError(context.getNode(), result.failure, itemIndex);
		}
		results.push(result);
	}
	return results;
}

function chosenOperation(context: IExecuteFunctions): Operation<unknown> {
	const name = context.getNodeParameter('operation', 0);
	const entry = OPERATIONS.find(({ value }) => value === name);
	if (entry) return entry.operation;
	throw new NodeOperationError(context.getNode(), `The operation "${String(name)}" does not exist`, {
		description: `Choose one of ${OPERATIONS.map((known) => known.name).join(', ')}.`,
	});
}

async function openConnection(context: IExecuteFunctions): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL);
	try {
		return readConnection(credential);
	} catch (error) {
		const { message, remedy } = asInputError(error);
		throw new NodeOperationError(context.getNode(), message, { description: remedy });
	}
}

function readItem(
	context: IExecuteFunctions,
	operation: Operation<unknown>,
	itemIndex: number,
): Reading {
	try {
		return { job: operation.read(context, itemIndex) };
	} catch (error) {
		return { failure: failureFromInput(asInputError(error)) };
	}
}

/** What n8n throws while it computes an expression is about the user's input as well. */
function asInputError(error: unknown): InputError {
	if (error instanceof InputError) return error;
	const { message, description } = error as { message?: string; description?: string | null };
	return new InputError(message || 'A parameter could not be read', description || 'Check the expressions of this node.');
}

function refuseWrongItems(context: IExecuteFunctions, readings: Reading[]): void {
	const wrong = readings.flatMap((reading, itemIndex) => ('failure' in reading ? [itemIndex] : []));
	const itemIndex = wrong[0];
	const reading = readings[itemIndex];
	if (!reading || !('failure' in reading)) return;
	const others = wrong.length > 1 ? `${wrong.length} items are wrong in all. ` : '';
	throw toNodeError(context.getNode(), reading.failure, itemIndex, `${others}Nothing was sent.`);
}
