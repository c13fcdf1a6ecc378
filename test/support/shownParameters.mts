import { type INodeParameters, type INodeType, NodeHelpers } from 'n8n-workflow';
import { NODE } from './sendNode.mts';

/** The fields that the editor shows with these parameters, and what stands in them. */
export function shownParameters({ description }: INodeType, parameters: INodeParameters) {
	const { properties } = description;
	return (
		NodeHelpers.getNodeParameters(properties, parameters, true, false, null, description) ?? {}
	);
}

/** The names of those that the editor asks for. */
export function missingParameters({ description }: INodeType, parameters: INodeParameters) {
	const node = { ...NODE, parameters };
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	return Object.keys(issues?.parameters ?? {});
}
