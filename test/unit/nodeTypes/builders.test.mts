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

const ASKING = 'budget defaultCountry dryRun spendingLimit testRecipient';
const SENDING = `${ASKING} doNotSendTo frequencyCap includeInputFields sendBetween sendOnceKey sendOnlyTo sendUntil waitFor`;

describe.each([
	['sendTemplate', 'to templateName', SENDING],
	['sendAndWait', 'to templateName message', ASKING],
	['getStatus', 'messageId', 'includeInputFields waitFor'],
])('of %s builders', (operation, required, read) => {
	const fields = readByBuilders(operation);

	it('have to fill what every call needs, and read first sentences, and no conditions on texts', () => {
		const names = fields.filter((field) => field.required).map(({ name }) => name);
		expect(names.join(' ')).toBe(required);
		const conditions = fields.map(({ displayOptions }) => displayOptions);
		expect(JSON.stringify(conditions)).not.toContain('_cnd');
		const types = properties.filter(isBrief).map(({ type }) => type);
		expect(types.filter((type) => ['hidden', 'notice'].includes(type))).toEqual([]);
		const brief = fields.filter(isBrief);
		expect(brief.map(({ name }) => name)).toContain('options');
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
		expect(options.map(({ name }) => name).sort()).toEqual(read.split(' ').sort());
		expect(options.filter((option) => option.default !== undefined)).toEqual([]);
		// Not the list of all countries.
		const groups = options.flatMap(({ options: choices = [] }) => choices);
		const inGroups = (groups as INodePropertyCollection[]).flatMap(({ values = [] }) => values);
		expect(inGroups.length > 0).toBe(operation !== 'getStatus');
		expect(inGroups.map(({ description }) => description).join('; ')).not.toMatch(/\. /);
		expect(options.filter(({ options: choices = [] }) => choices.length >= 10)).toEqual([]);
	});
});
