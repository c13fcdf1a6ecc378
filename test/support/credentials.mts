import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';

export interface Credential {
	type: ICredentialType;
	data: ICredentialDataDecryptedObject;
}

/** n8n's credentials helper, with credentials in plain form; requests go through their own `authenticate`. */
export function plainCredentials(credentials: Credential[]): ICredentialsHelper {
	const find = (typeName: string) => credentials.find(({ type }) => type.name === typeName)!;
	const needed: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: (typeName) => find(typeName).type.properties,
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,

		async authenticate(data, typeName, request) {
			const { authenticate } = find(typeName).type;
			if (typeof authenticate !== 'function') throw new Error('authenticate is no function');
			return await authenticate.call(this, data, request as IHttpRequestOptions);
		},

		/** As n8n does: what is stored when `raw`, else with its expressions computed for the item. */
		async getDecrypted(_data, _reference, typeName, mode, executeData, raw, values) {
			const stored = { ...find(typeName).data };
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
		},
	};
	return needed as ICredentialsHelper;
}
