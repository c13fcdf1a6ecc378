import type { INodeProperties } from 'n8n-workflow';

import { triggerFields } from '../../../nodes/BusinessMessaging/events/fields';

const options = triggerFields.find(({ name }) => name === 'options')?.options as INodeProperties[];

it.each([
	['ipAllowlist', '', undefined],
	['maxEventAgeMinutes', 60, { minValue: 0 }],
	['deduplicationHours', 24, { minValue: 1, maxValue: 720 }],
])('the option %s starts with %p, within the limits %j', (name, start, limits) => {
	const option = options.find((field) => field.name === name);
	expect(option?.default).toBe(start);
	expect(option?.typeOptions).toEqual(limits);
});
