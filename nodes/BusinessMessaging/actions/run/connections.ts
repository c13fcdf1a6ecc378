import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { CREDENTIAL } from '../../api';
import { InputError } from '../../errors/inputError';
import { isTool } from '../../isTool';
import { readConnection } from '../../transport/connection';
import type { Connection } from '../../transport/connection';

/** Of one item, from its credential. Items of one account get the same object. @throws InputError */
export type ConnectionOf = (itemIndex: number) => Connection | Promise<Connection>;

/**
 * A credential may hold expressions, and then each item has a credential of its own. Without one that
 * reads items it is read once: reading takes n8n a query of its database.
 * @throws what keeps every item from its credential
 */
export async function openConnections(context: IExecuteFunctions): Promise<ConnectionOf> {
	if (!(await readsItems(context))) {
		const connection = readConnection(await credentialOf(context, 0));
		return () => connection;
	}
	if (isTool(context.getNode())) throw notInTools();
	const known = new Map<string, Connection>();
	return async (itemIndex) => {
		const { baseUrl, apiKey } = await computedFor(context, itemIndex);
		const account = `${baseUrl}\n${apiKey}`;
		const connection = known.get(account) ?? { baseUrl, apiKey, ofItem: itemIndex };
		known.set(account, connection);
		return connection;
	};
}

async function computedFor(context: IExecuteFunctions, itemIndex: number): Promise<Connection> {
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
	);
}

async function credentialOf(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
	try {
		return await context.getCredentials(CREDENTIAL, itemIndex);
	} catch (error) {
		throw expressionProblem(error as Error);
	}
}

/** Does not quote what n8n says of an expression, because it may repeat the key. */
function expressionProblem(error: Error): Error {
	if (!String(error.message).endsWith('[Error resolving credentials]')) return error;
	return new InputError(
		"An expression in the credential can't be computed",
		'Open the credential and check its expressions, and the fields of the item that they read.',
	);
}

/** Not in n8n's types of a node's context. */
interface WithAdditionalData {
	additionalData?: IWorkflowExecuteAdditionalData;
}

/** Whether the credential may be another one for another item; if n8n does not tell, it may. */
async function readsItems(context: IExecuteFunctions): Promise<boolean> {
	const reference = context.getNode().credentials?.[CREDENTIAL];
	const { additionalData } = context as WithAdditionalData;
	if (!reference || !additionalData) return reference !== undefined;
	const withContext = { ...additionalData, executionContext: context.getExecutionContext?.() };
	const stored = await additionalData.credentialsHelper.getDecrypted(
		withContext,
		reference,
		CREDENTIAL,
		context.getMode(),
		{ ...context.getExecuteData(), node: context.getNode() },
		true,
	);
	return [stored.baseUrl, stored.apiKey].some(isOfItem);
}

/** In each of its brackets a variable or an external secret, which are the same for all items. */
const SAME_FOR_ALL =
	/^=(?:(?!\{\{).|\{\{\s*\$(?:vars|secrets|env)(?:\.\w+|\[(?:'[^']*'|"[^"]*")\])+\s*\}\})*$/s;

function isOfItem(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('=') && !SAME_FOR_ALL.test(value);
}

/**
 * n8n computes it for the first item of an agent 2.2, and for an agent 3 with what the model says in the
 * place of the item's fields: a customer could talk the model into another key, or another address.
 */
function notInTools(): InputError {
	return new InputError(
		"The credential's Base URL or API Key is an expression, which the tool of an AI agent can't use",
		'n8n does not say for which item an agent calls its tool, and the model could change what the expression reads. Choose a credential with fixed values.',
	);
}
