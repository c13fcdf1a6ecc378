import type { IDataObject } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { runAgent } from '../support/agentRun.mts';
import { madeUpNode, runWorkflow } from '../support/engine.mts';
import { MISBEHAVIORS, startFaultServer, type FaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const [ASHA, BEN] = ['+12025550110', '+12025550111'];

let server: FaultServer;

beforeEach(async () => {
	server = await startFaultServer(() => MISBEHAVIORS.sent);
});

afterEach(async () => await server.close());

interface Scene {
	/** What the trigger emits. */
	events?: IDataObject[];
	/** Of the items behind it, each of which belongs to the event of its number. */
	to?: string[];
	/** The type of the trigger. */
	trigger?: string;
	onError?: 'continueRegularOutput';
	options?: IDataObject;
}

/** @returns who got a message, and the errors */
async function send(only: IDataObject, scene: Scene = {}) {
	const { events = [{ phone: ASHA }], to = [ASHA], trigger = 'businessMessagingTrigger' } = scene;
	const main = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const { run, output } = await runWorkflow({
		nodes: [
			{ name: 'Trigger', type: trigger },
			{ name: 'Items', type: 'items' },
			{
				name: 'Send',
				type: 'businessMessaging',
				parameters: {
					...SEND,
					to: '={{ $json.to }}',
					options: { requestsPerMinute: 0, sendOnlyTo: { only }, ...scene.options },
				} as never,
				onError: scene.onError,
			},
		],
		connections: { Trigger: main('Items'), Items: main('Send') },
		nodeTypes: {
			[trigger]: madeUpNode(async () => [events.map((json) => ({ json }))]),
			items: madeUpNode(async () => [
				to.map((number, item) => ({
					json: { to: number, phone: number, item: number, list: [number] },
					pairedItem: { item },
				})),
			]),
			businessMessaging: new BusinessMessaging(),
		},
		credentials: [
			{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
		],
	});
	const { error } = run.data.resultData;
	const items = error
		? []
		: output('Send').map(({ json }) => json.error as IDataObject | undefined);
	return {
		sentTo: server.received.map((body) => (JSON.parse(body) as { to: string }).to),
		told: error ? `${error.message} ${error.description}` : items.map((each) => each?.code),
	};
}

const list = (numbers: unknown) => ({ who: 'list', numbers }) as IDataObject;

// docs/sending.md: Send Only To
it.each<[string, IDataObject, Scene]>([
	['a number of the list, however it is spelled', list('+1 415 555 0123\n001 (202) 555-0110'), {}],
	['with a default country', list('202 555 0110'), { options: { defaultCountry: 'US' } }],
	['a list of an expression', list("={{ $('Items').all().map((row) => row.json.to) }}"), {}],
	[
		'a list of a column called item',
		list("={{ $('Items').all().map((row) => row.json.item) }}"),
		{},
	],
	['who wrote', { who: 'whoWrote' }, {}],
	['who wrote, as the option is added', {}, {}],
	[
		'who wrote, of several events each',
		{ who: 'whoWrote' },
		{ events: [{ phone: ASHA }, { phone: BEN }], to: [ASHA, BEN] },
	],
])('a message goes to %s', async (_, only, scene) => {
	expect((await send(only, scene)).sentTo).toEqual(scene.to ?? [ASHA]);
});

const READS_ITEM = /Send Only To reads one item, or what a model says/;
const OTHER_THAN_WRITER = /"\+12025550111" is not the number of who wrote/;

it.each<[string, IDataObject, Scene, RegExp]>([
	[
		'to another number',
		list(ASHA),
		{ to: [BEN] },
		/"\+12025550111" is not in the list of Send Only To/,
	],
	['to anybody, of an empty list', list('={{ [] }}'), {}, /is not in the list of Send Only To/],
	['of a list that is empty', list(' '), {}, /^Send Only To is empty/],
	['of a number that is none', list('Asha'), {}, /^Line 1 of Send Only To/],
	[
		'of a column that was dragged',
		list("={{ $('Trigger').item.json.phone }}"),
		{},
		/\$\('Trigger'\)\.all\(\)\.flatMap/,
	],
	['of the item itself', list('={{ $json.list }}'), {}, READS_ITEM],
	['of all items', list('={{ $input.all().map((row) => row.json.to) }}'), {}, READS_ITEM],
	['of a model', list("={{ [$fromAI('to')] }}"), {}, READS_ITEM],
	['to another than who wrote', { who: 'whoWrote' }, { to: [BEN] }, OTHER_THAN_WRITER],
	[
		'to who wrote another event',
		{ who: 'whoWrote' },
		{ events: [{ phone: BEN }, { phone: ASHA }], to: [BEN, BEN] },
		OTHER_THAN_WRITER,
	],
	['without such a trigger', { who: 'whoWrote' }, { trigger: 'other' }, /no event of a Business/],
	['of an event without a number', { who: 'whoWrote' }, { events: [{}] }, /no event of a Business/],
	['to whom it is not said', { who: 'nobody' }, {}, /^Who is "nobody"/],
])('nothing is sent %s', async (_, only, scene, told) => {
	expect(await send(only, scene)).toEqual({
		sentTo: [],
		told: expect.stringMatching(told) as string,
	});
});

it('the item of another number alone is refused with Continue, by its code', async () => {
	const scene: Scene = { to: [ASHA, BEN], onError: 'continueRegularOutput' };
	expect(await send(list(ASHA), scene)).toEqual({
		sentTo: [ASHA],
		told: [undefined, 'notAllowed'],
	});
});

it("an agent's model can send to nobody else, and reads that it need not try again", async () => {
	const parameters = {
		...SEND,
		operation: 'sendTemplate',
		to: "={{ $fromAI('to') }}",
		options: { sendOnlyTo: { only: list(ASHA) } },
	};
	const [other, own] = await runAgent({
		baseUrl: server.url,
		parameters: parameters as never,
		calls: [{ to: BEN }, { to: ASHA }],
	});
	expect(other).toContain('Do not call this tool again with this number.');
	expect(own).toContain('"status":"sent"');
	expect(server.received).toHaveLength(1);
});
