import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { readPlaceholders } from '../../../nodes/BusinessMessaging/template/placeholders';
import { readRecipient } from '../../../nodes/BusinessMessaging/template/recipient';
import { ACTION, TRIGGER } from '../../../playground/n8n/typeNames.ts';
import { examples, ownNodes } from '../../support/examples.ts';

const action = new BusinessMessaging().description;
const descriptions: Record<string, INodeTypeDescription> = {
	[ACTION]: action,
	[TRIGGER]: new BusinessMessagingTrigger().description,
	// What n8n makes of a node with `usableAsTool`.
	[`${ACTION}Tool`]: action,
	// And of one that waits for an answer.
	[`${ACTION}HitlTool`]: action,
};

const nodes = examples.flatMap(([example, workflow]) =>
	ownNodes(workflow).map((node) => ({ example, ...node })),
);

function namesOf(properties: INodeProperties[]): string[] {
	return properties.map(({ name }) => name);
}

function optionsOf({ properties }: INodeTypeDescription): INodeProperties[] {
	const collections = properties.filter(({ name }) => name === 'options');
	return collections.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
}

/** What is chosen from a list that does not have it. */
function wrongChoices(parameters: Record<string, unknown>, properties: INodeProperties[]) {
	const isWrong = ([name, value]: [string, unknown]) => {
		const lists = properties.filter((each) => each.name === name && each.type === 'options');
		const choices = lists.flatMap(({ options }) => options ?? []);
		return choices.length > 0 && !choices.some((each) => 'value' in each && each.value === value);
	};
	return Object.entries(parameters).filter(isWrong);
}

describe.each(nodes)('$example: $name', ({ type, typeVersion, parameters }) => {
	const description = descriptions[type];
	const options = (parameters.options ?? {}) as Record<string, unknown>;

	it('is a node of this package, in its newest version', () => {
		expect(typeVersion).toBe(description?.version);
	});

	it('has only parameters, options and choices that the node has', () => {
		expect(namesOf(description.properties)).toEqual(
			expect.arrayContaining(Object.keys(parameters)),
		);
		expect(namesOf(optionsOf(description))).toEqual(expect.arrayContaining(Object.keys(options)));
		expect(wrongChoices(parameters, description.properties)).toEqual([]);
		expect(wrongChoices(options, optionsOf(description))).toEqual([]);
	});
});

const withText = nodes.filter(({ parameters }) => parameters.variablesInput === 'templateText');

test.each(withText)(
	'$example: "$name" has a value for each placeholder of its template text, and no other',
	({ parameters }) => {
		const fields = Object.keys(parameters).filter((name) => /^variable\d+$/.test(name));
		const placeholders = readPlaceholders(String(parameters.templateText));
		expect(fields).toEqual(placeholders.map(({ position }) => `variable${position}`));
	},
);

test.each(examples)('%s has only phone numbers that belong to nobody', (_, workflow) => {
	const shown = JSON.stringify(workflow).match(/\+[\d ()-]{9,}\d/g) ?? [];
	const numbers = shown.map((number) => readRecipient(number));
	// Reserved for fiction, and the sample number of the node's own texts.
	const nobodys = /^\+120255501\d\d$|^\+14155552671$/;
	expect(numbers.filter((number) => !nobodys.test(number))).toEqual([]);
});
