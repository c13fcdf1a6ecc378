import {
	type INodeParameters,
	NodeHelpers,
	resetSafeRegexEngine,
	setSafeRegexEngine,
} from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';

const { description } = new BusinessMessaging();
const TEXT = 'Hi {{1}}, your order {{2}} of 12 May 2026 arrives on {{ 3 }}.';
const LONG = `${TEXT} Call 1800 123 4567 from 9 to 18. ${'We will be glad to hear you. '.repeat(28)}`;
const SEND = {
	...{ resource: 'message', operation: 'sendTemplate', to: '={{ $json.phone }}' },
	...{ templateName: 'order_update', templateText: TEXT },
	...{ variable1: '={{ $json.name }}', variable2: 'A-17', variable3: 'Friday' },
};

afterEach(resetSafeRegexEngine);

/**
 * n8n finds out which fields are shown for every node of a workflow, several times per execution. A regular expression
 * takes as long as hundreds of other conditions, and fails the execution on a machine that is too busy.
 */
it.each<[string, INodeParameters, number]>([
	['Send Template', SEND, 0],
	['a long template text', { ...SEND, templateText: LONG }, 0],
	['no template text', { ...SEND, templateText: '' }, 0],
	['a question', { ...SEND, operation: 'sendAndWait', message: 'Does it suit you?' }, 0],
	['a text in which something is odd', { ...SEND, templateText: 'Hi {{1}}, your {{order}}.' }, 1],
])('the fields of %s take n8n few regular expressions', (_, parameters, expected) => {
	let count = 0;
	setSafeRegexEngine({
		test: (pattern: string, input: string) => {
			count++;
			return new RegExp(pattern).test(input);
		},
	} as Parameters<typeof setSafeRegexEngine>[0]);
	const { properties } = description;
	NodeHelpers.getNodeParameters(properties, parameters, true, false, null, description);
	expect(count).toBe(expected);
});
