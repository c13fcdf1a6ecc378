import {
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

export interface Credential {
	type: ICredentialType;
	data: ICredentialDataDecryptedObject;
}

function unneeded(method: string): never {
	throw new Error(`No test needs ${method} of the credentials helper yet`);
}

/** Credentials in plain form, by type name; requests go through the credential's own `authenticate`. */
export class PlainCredentials extends ICredentialsHelper {
	private readonly byType: Map<string, Credential>;

	constructor(credentials: Credential[]) {
		super();
		this.byType = new Map(credentials.map((credential) => [credential.type.name, credential]));
	}

	private find(typeName: string): Credential {
		return this.byType.get(typeName) ?? unneeded(`credential "${typeName}"`);
	}

	/** What a saved node carries for a credential. */
	reference(typeName: string): Record<string, INodeCredentialsDetails> {
		return this.byType.has(typeName) ? { [typeName]: { id: typeName, name: typeName } } : {};
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		data: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.find(typeName).type;
		if (typeof authenticate !== 'function') return unneeded('a declarative `authenticate`');
		return await authenticate.call(this, data, request as IHttpRequestOptions);
	}

	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	/** As n8n does: what is stored when `raw`, else with its expressions computed for the item. */
	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_reference: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = { ...this.find(typeName).data };
		if (raw || !values) return stored;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			stored as INodeParameters,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	getCredentialsProperties(typeName: string): INodeProperties[] {
		return this.find(typeName).type.properties;
	}

	async getCredentials(): Promise<ICredentials> {
		return unneeded('getCredentials');
	}

	async updateCredentials(): Promise<void> {
		unneeded('updateCredentials');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		unneeded('updateCredentialsOauthTokenData');
	}
}
