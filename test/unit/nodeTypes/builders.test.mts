import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';

const { properties } = new BusinessMessaging().description;

/** For a version that does not exist, so that no user sees it. */
function isBrief({ displayOptions }: INodeProperties): boolean {
	return String(displayOptions?.show?.['@version']) === '-1';
}

/** The fields of an operation that n8n's AI for building workflows reads: of those with one name the first that is not hidden. */
function readByBuilders(operation: string): INodeProperties[] {
	const shown = properties.filter(
		({ type, displayOptions }) =>
			!['hidden', 'notice'].includes(type) && displayOptions?.show?.operation?.includes(operation),
	);
	return shown.filter(({ name }, index) => index === shown.findIndex((one) => one.name === name));
}

describe.each<[string, string[], string]>([
	[
		'sendTemplate',
		['to', 'templateName'],
		'budget defaultCountry doNotSendTo dryRun frequencyCap includeInputFields sendBetween sendOnceKey sendOnlyTo sendUntil spendingLimit testRecipient waitFor',
	],
	[
		'sendAndWait',
		['to', 'templateName', 'message'],
		'budget defaultCountry dryRun spendingLimit testRecipient',
	],
	['getStatus', ['messageId'], 'includeInputFields waitFor'],
])('of %s builders', (operation, required, read) => {
	const fields = readByBuilders(operation);

	it('have to fill what every call needs', () => {
		expect(fields.filter((field) => field.required).map(({ name }) => name)).toEqual(required);
	});

	it('read first sentences, and no conditions on texts', () => {
		expect(JSON.stringify(fields.map(({ displayOptions }) => displayOptions))).not.toContain(
			'_cnd',
		);
		const brief = fields.filter(isBrief);
		expect(brief.map(({ name }) => name)).toContain('options');
		const types = properties.filter(isBrief).map(({ type }) => type);
		expect(types.filter((type) => ['hidden', 'notice'].includes(type))).toEqual([]);
		for (const { name, type, description, hint, displayOptions, ...others } of brief) {
			const full = properties.findLast((one) => one.name === name && one.type === type);
			const [said, whole] = [description, full?.description].map(String);
			expect(whole).toContain(said);
			expect(said).not.toMatch(/\. /);
			expect(said === whole || said.endsWith('.')).toBe(true);
			expect(hint).toBeUndefined();
			const isFiller = type === 'collection' || name === 'toolDescription';
			expect(others.default).toEqual(isFiller ? undefined : full?.default);
			expect(Object.keys(displayOptions!.show!)).toEqual(['@version', 'resource', 'operation']);
		}
	});

	it('read of options without those for experts, none of which has a value until it is added', () => {
		const optionsIn = (field: string) => {
			const { options } = fields.find(({ name }) => name === field)!;
			return (options as INodeProperties[]).filter(({ type }) => type !== 'notice');
		};
		const options = optionsIn('options');
		expect(optionsIn('expertOptions')).toEqual([]);
		expect(options.map(({ name }) => name).join(' ')).toBe(read);
		expect(options.filter((option) => option.default !== undefined)).toEqual([]);
		const collections = properties.filter(
			(field) => field.type === 'collection' && !isBrief(field),
		);
		const all = collections.flatMap((field) => field.options as INodeProperties[]);
		const fieldsOf = ({ options: groups = [] }: INodeProperties) =>
			(groups as INodePropertyCollection[]).flatMap(({ values = [] }) => values);
		for (const option of options) {
			const full = all.find(({ name }) => name === option.name)!;
			// Not the list of all countries.
			expect(option.type).toBe(full.name === 'defaultCountry' ? 'string' : full.type);
			expect(Number(option.options?.length ?? 0)).toBeLessThan(10);
			expect(fieldsOf(option)).toHaveLength(fieldsOf(full).length);
			const said = fieldsOf(option).map(({ description }) => description);
			expect(said.join('; ')).not.toMatch(/\. /);
		}
	});
});
