import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials';
import { CATEGORIES } from '../../../nodes/BusinessMessaging/api';
import { PRICES } from '../../../nodes/BusinessMessaging/template/price';
import { nodes } from './project.ts';

const ofNodes = nodes.flatMap(([, { properties }]) => properties);

/** Those of collections too. */
function withInner(fields: INodeProperties[]): INodeProperties[] {
	return fields.flatMap((field) => {
		if (field.type === 'collection') {
			return [field, ...withInner(field.options as INodeProperties[])];
		}
		if (field.type !== 'fixedCollection') return [field];
		const groups = (field.options ?? []) as INodePropertyCollection[];
		return [field, ...groups.flatMap(({ values }) => withInner(values))];
	});
}

const fields = withInner([...ofNodes, ...new BusinessMessagingApi().properties]);

it('each field and each option has a name, and a description that says something if it has one', () => {
	const options = fields.flatMap(({ type, options = [] }) =>
		/ollection/.test(type) ? [] : options,
	);
	const words = [
		...fields.map(({ displayName }) => displayName),
		...options.map(({ name }) => name),
	];
	expect(words.filter((text) => text.length < 2)).toEqual([]);
	const described = [...fields, ...(options as INodePropertyOptions[])];
	const descriptions = described.flatMap(({ description }) => description ?? []);
	expect(descriptions.filter((text) => text.length < 8)).toEqual([]);
});

it('what stands in an empty field reads as an example, not as a value', () => {
	const examples = fields
		// Of a collection it is what its button says.
		.filter(({ type }) => type !== 'collection' && type !== 'fixedCollection')
		.flatMap(({ placeholder }) => placeholder ?? []);
	expect(examples.length).toBeGreaterThan(4);
	expect(examples.filter((example) => !example.startsWith('e.g. '))).toEqual([]);
});

it('an info box ends with a period when it has several sentences, as n8n wants it', () => {
	const boxes = fields
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => displayName.replace(/<ul>.*/, ''));
	const isWrong = (text: string) => text.endsWith('.') !== /[.!?:] [A-Z]/.test(text);
	expect(boxes.filter((text) => !/:\s*$/.test(text) && isWrong(text))).toEqual([]);
});

it.each(CATEGORIES)('the price of %s is said as estimates are made', (category) => {
	const options = fields.find(({ name }) => name === 'category')?.options as INodePropertyOptions[];
	const { description } = options.find(({ value }) => value === category)!;
	const price = PRICES[category];
	expect(description).toMatch(price === 0 ? /\(free\)$/ : new RegExp(`\\(INR ${price}\\)$`));
});

/** n8n's rules demand the order of the alphabet: names make them stand together. */
it.each([
	['concurrency', 'requestsPerMinute'],
	['waitFor', 'waitTimeout'],
	['deduplicate', 'deduplicationHours'],
])('the options %s and %s stand together', (one, other) => {
	const collections = ofNodes.filter(({ type }) => type === 'collection');
	const lists = collections.map(({ options = [] }) => options.map(({ name }) => name));
	const both = lists.filter((names) => names.includes(one));
	expect(both.length).toBeGreaterThan(0);
	for (const names of both) expect(names[names.indexOf(one) + 1]).toBe(other);
});
