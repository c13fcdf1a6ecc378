import type { INodeProperties } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { allOptions } from '../../../nodes/BusinessMessaging/actions/sendTemplate/sendTemplate.operation';

const { properties } = new BusinessMessaging().description;

/** For a version that does not exist, so that no user sees it. */
function isBrief({ displayOptions }: INodeProperties): boolean {
	return String(displayOptions?.show?.['@version']) === '-1';
}

/** The fields of an operation that n8n's AI for building workflows reads: of those with one name the first. */
function readByBuilders(operation: string): INodeProperties[] {
	const shown = properties.filter(({ displayOptions }) =>
		displayOptions?.show?.operation?.includes(operation),
	);
	return shown.filter(({ name }, index) => index === shown.findIndex((one) => one.name === name));
}

describe.each<[string, string[], string]>([
	[
		'sendTemplate',
		['to', 'templateName'],
		'budget defaultCountry doNotSendTo dryRun frequencyCap sendBetween sendOnceKey sendOnlyTo spendingLimit testRecipient waitFor',
	],
	[
		'sendAndWait',
		['to', 'templateName', 'message'],
		'defaultCountry dryRun spendingLimit testRecipient',
	],
	['getStatus', ['messageId'], 'waitFor'],
])('of %s builders', (operation, required, read) => {
	const fields = readByBuilders(operation);

	it('have to fill what every call needs', () => {
		expect(fields.filter((field) => field.required).map(({ name }) => name)).toEqual(required);
	});

	it('read of each field less than users', () => {
		for (const { name, type, description, options, displayOptions, ...field } of fields) {
			if (!isBrief({ displayOptions } as INodeProperties) || type === 'collection') continue;
			const full = properties.findLast((one) => one.name === name);
			expect(full).toMatchObject({ type, displayName: field.displayName });
			// Template Text says what they are.
			if (/^variable\d+$/.test(name)) expect(description).toBe('');
			else expect(description).toMatch(/^[A-Z"a-z].{19}/);
			expect(field.hint).toBeUndefined();
			expect(options).toEqual(type === 'fixedCollection' ? undefined : full?.options);
			expect('default' in field && field.default === undefined).toBe(
				type === 'fixedCollection' || name === 'toolDescription',
			);
			expect(Object.keys(displayOptions?.show ?? {})).toEqual([
				'@version',
				'resource',
				'operation',
			]);
		}
	});

	it('read briefly, once each, of what depends on other fields', () => {
		const briefs = properties.filter(
			(field) => isBrief(field) && field.displayOptions?.show?.operation?.includes(operation),
		);
		const names = briefs.map(({ name }) => name);
		expect(names).toContain('options');
		expect(new Set(names).size).toBe(names.length);
		const depend = fields.filter(({ displayOptions: { show = {}, hide } = {} }) => {
			return (
				hide ?? Object.keys(show).some((other) => !/^(@version|resource|operation)$/.test(other))
			);
		});
		expect(depend.map(({ name }) => name).filter((name) => !/Notice$/.test(name))).toEqual([]);
	});

	it('read of few options, none of which has a value until it is added', () => {
		const options = fields.find(({ name }) => name === 'options')?.options as INodeProperties[];
		const described = options.filter(({ type }) => type !== 'notice');
		expect(described.map(({ name }) => name).join(' ')).toBe(read);
		for (const option of described) {
			expect(option.default).toBeUndefined();
			expect(option.description).toMatch(/^[A-Z].{10,80}$/);
			// Not the list of all countries.
			const full = allOptions.find(({ name }) => name === option.name);
			expect(option.type).toBe(option.name === 'defaultCountry' ? 'string' : full?.type);
			expect(option.options?.length ?? 0).toBeLessThan(10);
		}
	});
});
