import type { IDataObject, INode } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '../../nodes/BusinessMessaging/BusinessMessagingTrigger.node';
import { useDeduplicator } from '../support/deduplicator.mts';
import { madeUpNode, runWorkflow, to } from '../support/engine.mts';
import { incoming, post, type WebhookSetting } from '../support/webhookDouble.mts';

/** What follows the trigger: puts out what it gets. */
const next = madeUpNode(async function () {
	return [this.getInputData()];
});

const PARAMETERS = { events: ['message.incoming'], outputMode: 'single', options: {} };

/** The items of each node that ran, when n8n has started the workflow with these. */
async function run(
	items: IDataObject[],
	settings: Partial<INode>,
	mode: WebhookSetting['mode'] = 'webhook',
) {
	const { run: ended, output } = await runWorkflow({
		nodes: [
			{ name: 'Trigger', type: 'trigger', typeVersion: 2, parameters: PARAMETERS, ...settings },
			{ name: 'Next', type: 'next' },
			{ name: 'Second', type: 'next' },
		],
		connections: { Trigger: { main: [to('Next'), to('Second')] } },
		nodeTypes: { trigger: new BusinessMessagingTrigger(), next },
		input: items.map((json) => ({ json })),
		mode,
	});
	const names = Object.keys(ended.data.resultData.runData);
	return Object.fromEntries(names.map((name) => [name, output(name).map(({ json }) => json)]));
}

// docs/trigger.md: while the editor listens
it.each<[Pick<INode, 'onError' | 'continueOnFail'>, string[] | undefined]>([
	[{}, ['Trigger']],
	[{ onError: 'stopWorkflow' }, ['Trigger']],
	// n8n would pass the input of the failing trigger on.
	[{ onError: 'continueRegularOutput' }, undefined],
	[{ onError: 'continueErrorOutput' }, undefined],
	[{ continueOnFail: true }, undefined],
])('after a test event that is refused or ignored, with %j runs %j', async (settings, ran) => {
	const setting = { mode: 'manual', parameters: PARAMETERS, settings } as const;
	const refused = { event: {}, request: { query: {} } };
	const ignored = { event: { event: 'order.paid' }, request: {} };
	for (const { event, request } of [refused, ignored]) {
		const { items } = await post(incoming(event), request, setting);
		expect(items && Object.keys(await run(items, settings, 'manual'))).toEqual(ran);
	}
});

// n8n would add an empty item.
describe('with Always Output Data', () => {
	beforeAll(async () => await useDeduplicator());

	const settings = { alwaysOutputData: true };

	// docs/scaling.md: the execution of a duplicate has no items
	it('the execution of a duplicate ends at the trigger', async () => {
		const { items = [] } = await post(incoming(), {}, { parameters: PARAMETERS });
		expect(await run(items, settings)).toEqual({ Trigger: items, Next: items });
		expect(await run(items, settings)).toEqual({ Trigger: [] });
	});

	it('an event runs only the branch of its output', async () => {
		const parameters = { ...PARAMETERS, events: ['*'], outputMode: 'perEvent' };
		const { items = [] } = await post(incoming({ event: 'message.sent' }), {}, { parameters });
		const ran = await run(items, { ...settings, parameters });
		expect(ran).toEqual({ Trigger: [], Second: items });
	});
});
