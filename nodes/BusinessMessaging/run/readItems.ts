import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeProperties,
} from 'n8n-workflow';
import type { Job } from '../actions/job';
import type { Operation } from '../actions/operation';
import type { TestMessages } from '../actions/options/testRecipient';
import { CREDENTIAL } from '../api';
import type { Clock } from '../clock';
import { failureOf, failed, type Failed } from '../errors/failure';
import { InputError } from '../inputError';
import { internalsOf, isTool } from '../n8n';
import { readsItem } from '../template/reads';
import { expressionsIn } from '../template/textChecks';
import { type Connection, missingCredential, readConnection } from '../transport/credential';
import { isExpression, isRecord, isText } from '../values';

/** An item that was read: its job, or why it has none. */
export type ParsedItem = { job: Job; connection: Connection } | Failed;

/**
 * Reading 100,000 items takes more than a minute. After so many ms n8n gets time to answer webhooks and
 * the editor, and to report that a worker is alive.
 */
const MAX_BLOCKING_MS = 50;

/** @returns one per item, in their order; fewer when the execution was canceled */
export async function readItems(
	context: IExecuteFunctions,
	operation: Operation,
	test: TestMessages | undefined,
	connectionOf: ConnectionOf,
	clock: Clock,
): Promise<ParsedItem[]> {
	const canceled = context.getExecutionCancelSignal();
	const parsedItems: ParsedItem[] = [];
	const now = clock.now();
	let blockedSince = clock.ticks();
	for (const itemIndex of context.getInputData().keys()) {
		try {
			const job = operation.read(context, itemIndex, now, test);
			const connection = await connectionOf(itemIndex);
			parsedItems.push({ job, connection });
			test?.count();
		} catch (error) {
			const field = nameField(context, itemIndex, operation.fields, error);
			parsedItems.push(failed(failureOf(asInputError(error, field))));
		}
		if (clock.ticks() - blockedSince < MAX_BLOCKING_MS) continue;
		await clock.sleep(0);
		if (canceled?.aborted) return parsedItems;
		blockedSince = clock.ticks();
	}
	return parsedItems;
}

/**
 * The display name of the field whose expression n8n could not compute. n8n's error may be as short as
 * "invalid syntax", so the fields with expressions are computed again, one by one, including the options.
 * @returns undefined for other errors
 */
export function nameField(
	context: IExecuteFunctions,
	itemIndex: number,
	fields: INodeProperties[],
	error: unknown,
): string | undefined {
	if (error instanceof InputError) return undefined;
	const { message } = error as Error;
	const fails = (path: string) => {
		try {
			context.getNodeParameter(path, itemIndex, undefined, { skipValidation: true });
			return false;
		} catch (thrown) {
			// Only their messages tell n8n's errors apart.
			return (thrown as Error).message === message;
		}
	};
	const find = (among: INodeProperties[], values: Record<string, unknown>, path = '') =>
		among.find(({ name }) => hasExpression(values[name]) && fails(path + name));
	const { parameters } = context.getNode();
	const field = find(fields, parameters);
	if (field?.type !== 'collection') return field?.displayName;
	const { name, displayName } = field;
	const option = find(field.options as INodeProperties[], Object(parameters[name]), `${name}.`);
	return option ? `${displayName} → ${option.displayName}` : displayName;
}

function hasExpression(value: unknown): boolean {
	if (isExpression(value)) return true;
	return (Array.isArray(value) || isRecord(value)) && Object.values(value).some(hasExpression);
}

/**
 * An error that n8n throws while it computes an expression or reads the credential is about the user's input, too.
 * @param field that has the expression, as the editor calls it
 */
export function asInputError(error: unknown, field?: string): InputError {
	if (error instanceof InputError) return error;
	const { message, description } = error as { message?: unknown; description?: unknown };
	const reason = isText(message) ? message : '';
	const missing = missingCredential(reason);
	if (missing) return missing;
	const problem = field
		? `The expression in ${field} can't be computed${reason && `: ${reason}`}`
		: reason || 'A parameter could not be read';
	const check = `Check the ${field ? 'expression in this field' : 'expressions of this node'}.`;
	return new InputError(problem, isText(description) ? description : check);
}

/** The account of an item, from its credential. Items of one account get the same object. @throws InputError */
type ConnectionOf = (itemIndex: number) => Connection | Promise<Connection>;

/**
 * If the credential has expressions that read the item, each item has a credential of its own. Otherwise it is read
 * once, because n8n queries its database each time.
 * @throws the error if no item can have a credential
 */
export async function openConnections(context: IExecuteFunctions): Promise<ConnectionOf> {
	if (!(await readsItems(context))) {
		const connection = readConnection(await credentialOf(context, 0));
		return () => connection;
	}
	if (isTool(context.getNode())) {
		// n8n computes the credential for the first item of an agent 2.2, and for an agent 3 with the model's words in
		// place of the item's fields: a customer could talk the model into another key or address.
		throw new InputError(
			"The credential's Base URL or API Key is an expression, which the tool of an AI agent can't use",
			'n8n does not say for which item an agent calls its tool, and the model could change what the expression reads. Choose a credential with fixed values.',
			'wrongCredential',
		);
	}
	const known = new Map<string, Connection>();
	return async (itemIndex) => {
		const { baseUrl, apiKey } = await connectionOfItem(context, itemIndex);
		const account = `${baseUrl}\n${apiKey}`;
		const connection = known.get(account) ?? { baseUrl, apiKey, ofItem: itemIndex };
		known.set(account, connection);
		return connection;
	};
}

/** Whether the credential can differ from item to item. If n8n does not say, assume that it can. */
async function readsItems(context: IExecuteFunctions): Promise<boolean> {
	const reference = context.getNode().credentials?.[CREDENTIAL];
	const { additionalData } = internalsOf(context);
	if (!reference || !additionalData) return reference !== undefined;
	const withContext = { ...additionalData, executionContext: context.getExecutionContext() };
	const stored = await additionalData.credentialsHelper.getDecrypted(
		withContext,
		reference,
		CREDENTIAL,
		context.getMode(),
		{ ...context.getExecuteData(), node: context.getNode() },
		true,
	);
	const entered = [stored.baseUrl, stored.apiKey];
	return entered.flatMap(expressionsIn).some(readsItem);
}

async function connectionOfItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<Connection> {
	const credential = await credentialOf(context, itemIndex);
	try {
		return readConnection(credential);
	} catch (error) {
		throw wrongForItem(error as InputError);
	}
}

function wrongForItem({ message }: InputError): InputError {
	return new InputError(
		message,
		"Check the credential's expressions, and the fields of this item that they read.",
		'wrongCredential',
	);
}

async function credentialOf(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL, itemIndex);
	} catch (error) {
		throw withoutKey(error as Error);
	}
}

/** Replaces n8n's message about an expression, because it may repeat the key. */
function withoutKey(error: Error): Error {
	if (!String(error.message).endsWith('[Error resolving credentials]')) return error;
	return new InputError(
		"An expression in the credential can't be computed",
		'Open the credential and check its expressions, and the fields of the item that they read.',
		'wrongCredential',
	);
}
