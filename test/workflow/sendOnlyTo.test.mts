import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow } from '../support/engine.mts';
import { useFaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const [ASHA, BEN] = ['+12025550110', '+12025550111'];
// Networks still write the retired 1 of Mexico's mobile numbers.
const MEXICAN = '+5215512345678';

const server = useFaultServer();

interface Scene {
	/** What the trigger emits. */
	events?: IDataObject[];
	/** Of the items behind it, each of which belongs to the event of its number, if n8n links them. */
	to?: string[];
	isLinked?: boolean;
	/** The type of the trigger. */
	trigger?: string;
	onError?: 'continueRegularOutput';
	options?: INodeParameters;
}

/** @returns who got a message, and the errors */
async function send(only: INodeParameters, scene: Scene = {}) {
	const { events = [{ phone: ASHA }], to = [ASHA], trigger = 'businessMessagingTrigger' } = scene;
	const main = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const options = { requestsPerMinute: 0, sendOnlyTo: { only }, ...scene.options };
	const parameters = { ...SEND, to: '={{ $json.to }}', options };
	const { run, output } = await runWorkflow({
		nodes: [
			{ name: 'Trigger', type: trigger },
			{ name: 'Not run', type: trigger },
			{ name: 'Items', type: 'items' },
			{ name: 'Send', type: 'businessMessaging', parameters, onError: scene.onError },
		],
		connections: { Trigger: main('Items'), Items: main('Send') },
		nodeTypes: {
			[trigger]: madeUpNode(async () => [events.map((json) => ({ json }))]),
			items: madeUpNode(async () => [
				to.map((number, item) => ({
					json: { to: number, item: number, list: [number] },
					pairedItem: { item: scene.isLinked === false ? 9 : item },
				})),
			]),
			businessMessaging: new BusinessMessaging(),
		},
		credentials: [
			{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
		],
	});
	const { error } = run.data.resultData;
	const codes = () => output('Send').map(({ json }) => (json.error as IDataObject)?.code);
	return { sentTo: server.sentTo, told: error ? `${error.message} ${error.description}` : codes() };
}

const list = (numbers: string) => ({ who: 'list', numbers });
const WHO_WROTE = { who: 'whoWrote' };

// docs/sending.md: Send Only To
it.each<[string, INodeParameters, Scene]>([
	['a number of the list, however it is spelled', list('+1 415 555 0123\n001 (202) 555-0110'), {}],
	['one of the list that is not in Do Not Send To', list(ASHA), { options: { doNotSendTo: BEN } }],
	['with a default country', list('202 555 0110'), { options: { defaultCountry: 'US' } }],
	['a mobile number of Mexico, with or without its 1', list('+525512345678'), { to: [MEXICAN] }],
	['a list of an expression', list("={{ $('Items').all().map((row) => row.json.to) }}"), {}],
	['a column called item', list("={{ $('Items').all().map((row) => row.json.item) }}"), {}],
	['who wrote, as the option is added', {}, {}],
	['who wrote, of items that n8n links to no event', {}, { isLinked: false }],
	[
		'who wrote from Mexico, with or without the 1',
		WHO_WROTE,
		{ events: [{ phone: '+525512345678' }], to: [MEXICAN] },
	],
	[
		'who wrote, of several events each',
		WHO_WROTE,
		{ events: [{ phone: ASHA }, { phone: BEN }], to: [ASHA, BEN] },
	],
])('a message goes to %s', async (_, only, scene) => {
	expect((await send(only, scene)).sentTo).toEqual(scene.to ?? [ASHA]);
});

const NOT_IN_LIST =
	/"\+12025550111" is not in the list of Send Only To \[item 0\] Leave the item out/;
const READS_ITEM = /Send Only To reads one item, or what a model says/;
const NOT_WHO_WROTE = /"\+12025550111" is not the number of who wrote/;
const NO_EVENT = /no event of a Business.* A sub-workflow gets no event of its own\./;
const OF_OTHERS = { events: [{ phone: BEN }, { phone: ASHA }], to: [BEN, BEN] };

it.each<[string, INodeParameters, Scene, RegExp]>([
	['to another number', list(ASHA), { to: [BEN] }, NOT_IN_LIST],
	['to anybody, of an empty list', list('={{ [] }}'), { to: [BEN] }, NOT_IN_LIST],
	['of a list that is empty', list(' '), {}, /^Send Only To is empty/],
	['of two numbers in one line', list(`${ASHA}, ${BEN}`), {}, /^Line 1 of .* by itself\./],
	['of a dragged column', list("={{ $('Trigger').item.json.phone }}"), {}, /'\)\.all\(\)\.flatMap/],
	['of the item itself', list('={{ $json.list }}'), {}, READS_ITEM],
	['of all items', list('={{ $input.all().map((row) => row.json.to) }}'), {}, READS_ITEM],
	['of a model', list("={{ [$fromAI('to')] }}"), {}, READS_ITEM],
	['to another than who wrote', WHO_WROTE, { to: [BEN] }, NOT_WHO_WROTE],
	['to who wrote another event', WHO_WROTE, OF_OTHERS, NOT_WHO_WROTE],
	['without such a trigger', WHO_WROTE, { trigger: 'businessMessagingTriggers' }, NO_EVENT],
	['of an event without a number', WHO_WROTE, { events: [{}] }, NO_EVENT],
	['to whom it is not said', { who: 'nobody' }, {}, /^Who is "nobody"/],
])('nothing is sent %s', async (_, only, scene, told) => {
	const left = await send(only, scene);
	expect(left).toEqual({ sentTo: [], told: expect.stringMatching(told) });
});

it('the item of another number alone is refused with Continue, by its code', async () => {
	const left = await send(list(ASHA), { to: [ASHA, BEN], onError: 'continueRegularOutput' });
	expect(left).toEqual({ sentTo: [ASHA], told: [undefined, 'notAllowed'] });
});
