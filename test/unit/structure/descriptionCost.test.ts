import {
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
	resetSafeRegexEngine,
	setSafeRegexEngine,
} from 'n8n-workflow';
import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';

/** What n8n computes to know the parameters of one node. */
interface Work {
	conditions: number;
	/** Each takes as long as hundreds of other conditions, and fails the execution on a machine that is too busy. */
	regularExpressions: number;
}

/**
 * n8n does this for every node of a workflow, several times per execution. Counted, because a stopwatch
 * fails by chance; `npm run bench -- description` prints the ms.
 */
function workFor(description: INodeTypeDescription, parameters: INodeParameters): Work {
	const work = { conditions: 0, regularExpressions: 0 };
	setSafeRegexEngine({
		test: (pattern: string, input: string) => {
			work.regularExpressions++;
			return new RegExp(pattern).test(input);
		},
	} as Parameters<typeof setSafeRegexEngine>[0]);
	const fields = description.properties.map((field) =>
		watchConditions(field, () => work.conditions++),
	);
	NodeHelpers.getNodeParameters(fields, parameters, true, false, null, description);
	return work;
}

afterEach(resetSafeRegexEngine);

/** Calls back for each condition that is looked at. */
function watchConditions(field: INodeProperties, onLook: () => void): INodeProperties {
	const watchList = (list: unknown) =>
		new Proxy(list as unknown[], {
			get: (target, key) => {
				if (/^\d+$/.test(String(key))) onLook();
				return Reflect.get(target, key) as unknown;
			},
		});
	const mapped = (object: object, change: (value: unknown) => unknown) =>
		Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
	const { displayOptions = {} } = field;
	const watched = mapped(displayOptions, (rule) => mapped(rule as object, watchList));
	return { ...field, displayOptions: watched as IDisplayOptions };
}

const TEXT = 'Hi {{1}}, your order {{2}} of 12 May 2026 arrives on {{ 3 }}.';
const LONG = `${TEXT} Call 1800 123 4567 from 9 to 18. ${'We will be glad to hear you. '.repeat(28)}`;
const SEND = {
	...{ resource: 'message', operation: 'sendTemplate', to: '={{ $json.phone }}' },
	...{ templateName: 'order_update', templateText: TEXT },
	...{ variable1: '={{ $json.name }}', variable2: 'A-17', variable3: 'Friday' },
};
const ASK = { ...SEND, operation: 'sendAndWait', message: 'Does it suit you?' };

const { description: action } = new BusinessMessaging();
const { description: trigger } = new BusinessMessagingTrigger();

it.each<[string, INodeTypeDescription, INodeParameters, number]>([
	['Send Template', action, SEND, 1000],
	['a long template text', action, { ...SEND, templateText: LONG }, 1000],
	['no template text', action, { ...SEND, templateText: '' }, 1000],
	['a question', action, ASK, 1000],
	['Get Status', action, { operation: 'getStatus', messageId: 'message-1' }, 400],
	['the trigger', trigger, { events: ['message.incoming'] }, 10],
])('n8n computes little for %s', (_, description, parameters, atMost) => {
	const { conditions, regularExpressions } = workFor(description, parameters);
	expect(conditions).toBeGreaterThan(0);
	expect(conditions).toBeLessThanOrEqual(atMost);
	expect(regularExpressions).toBe(0);
});

it('a text in which something is odd costs a regular expression, so that these are counted', () => {
	const odd = { ...SEND, templateText: 'Hi {{1}}, your {{order}} is here.' };
	expect(workFor(action, odd).regularExpressions).toBe(1);
});
