import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { loopOver, madeUpNode, runWorkflow, to, type WorkflowToRun } from '../support/engine.mts';
import { useFaultServer } from '../support/faultServer.mts';
import { accountAt, SEND } from '../support/runNode.mts';

const ALL = [0, 1, 2, 3].map((last) => `+1202555011${last}`);
const [ASHA, BEN, CLEO, DAN] = ALL;
const NODE = 'Opt-outs';
const DRAGGED = "={{ $('Opt-outs').item.json.phone }}";
const rowsOf = (...phones: unknown[]) => phones.map((phone) => ({ phone }) as IDataObject);
const giving = (...rows: IDataObject[]): Scene => ({ gives: () => [rows] });
const LIST = rowsOf('001 (202) 555-0111', 12025550112);

const server = useFaultServer();

interface Scene {
	/** The node in front of the customers: a list, or a trigger and its events. */
	node?: Partial<INode>;
	/** What it gives on each of its outputs, in each of its runs. */
	gives?: (run: number) => IDataObject[][];
	customers?: string[];
	/** To which of its rows a customer is linked. */
	link?: (customer: number) => INodeExecutionData['pairedItem'];
	connections?: WorkflowToRun['connections'];
	/** How often the node runs, or only the nodes behind it. */
	rounds?: number;
	settings?: WorkflowToRun['settings'];
	onError?: INode['onError'];
}

/** Sends to customers. @returns who got a message, and what is told, or the error of each item */
async function campaign(options: INodeParameters, scene: Scene = {}) {
	const { node, gives = () => [LIST], link = () => ({ item: 0 }), customers = ALL } = scene;
	const name = node?.name ?? NODE;
	let runs = 0;
	const source = madeUpNode(
		async () => gives(runs++).map((rows) => rows.map((json) => ({ json, pairedItem: 0 }))),
		{ outputs: gives(0).map(() => 'main' as const) },
	);
	const nodeTypes = {
		source,
		businessMessagingTrigger: source,
		businessMessagingTriggers: source,
		customers: madeUpNode(async () => [
			customers.map((phone, item) => ({
				json: { to: phone, item: phone, list: [phone] },
				pairedItem: link(item),
			})),
		]),
		loop: loopOver(Array<IDataObject[]>(scene.rounds ?? 1).fill([{}])),
		failing: madeUpNode(async () => {
			throw new Error('Too many requests');
		}),
		businessMessaging: new BusinessMessaging(),
	};
	const parameters = { ...SEND, options: { requestsPerMinute: 0, ...options } };
	const { run, output } = await runWorkflow({
		nodes: [
			{ name: 'Start', type: 'customers' },
			{ type: 'source', ...node, name },
			{ name: 'Not run', type: 'businessMessagingTrigger' },
			{ name: 'Loop', type: 'loop' },
			{ name: 'Customers', type: 'customers' },
			{ name: 'Send', type: 'businessMessaging', parameters, onError: scene.onError },
		],
		connections: {
			Start: { main: [to(name)] },
			[name]: { main: [to('Customers')] },
			Customers: { main: [to('Send')] },
			...scene.connections,
		},
		nodeTypes,
		settings: scene.settings,
		credentials: accountAt(server.url),
	});
	const { error, runData } = run.data.resultData;
	return {
		sentTo: server.sentTo,
		skipped: output('Send', 1).map(({ json }) => json.to),
		codes: output('Send').map(({ json }) => (json.error as IDataObject)?.code),
		told: error
			? `${error.message}. ${error.description}`
			: runData.Send.at(-1)?.hints?.[0]?.message,
	};
}

/** Two of the four are in the list. */
const withheld = async (doNotSendTo: string, scene?: Scene) =>
	expect(await campaign({ doNotSendTo }, scene)).toMatchObject({
		sentTo: [ASHA, DAN],
		skipped: [BEN, CLEO],
		told: expect.stringContaining(
			'2 skipped: in the list of Do Not Send To. The list of Do Not Send To has 2 numbers.',
		),
	});

// docs/sending.md: a column that is dragged means all rows
describe('a column that is dragged from another node', () => {
	const columnOf = (column: string, more: IDataObject = {}) =>
		giving(...LIST.map(({ phone }) => ({ [column]: phone, ...more })), {});
	const nested = LIST.map(({ phone: number }) => ({ contact: { phones: [{ number }] } }));
	const dragged = async (scene: Scene) => await campaign({ doNotSendTo: DRAGGED }, scene);
	const combined = { settings: { binaryMode: 'combined' as const } };

	it.each<[string, Scene]>([
		[DRAGGED, { link: (customer) => ({ item: customer % 2 }) }],
		[DRAGGED, { ...columnOf('phone', { error: 'of the sheet' }), link: () => undefined }],
		["={{$('Opt-outs').item?.json?.phone}} ", {}],
		['={{ $("Opt-outs").item.json["phone number"] }}', columnOf('phone number')],
		["={{ $('Opt-outs').item.json['customer\\'s [1]'] }}", columnOf("customer's [1]")],
		["={{ $('Opt-outs').item.json.téléphone }}", columnOf('téléphone')],
		["={{ $('Opt-outs').item.json.constructor }}", columnOf('constructor')],
		['={{ $("Ben\'s \\"list\\"").item.json.phone }}', { node: { name: 'Ben\'s "list"' } }],
		["={{ $('Opt-outs').item.json.contact.phones[0].number }}", giving(...nested)],
		["={{ $('Opt-outs').item['phone number'] }}", { ...columnOf('phone number'), ...combined }],
		// Empty cells, a list in one row, as Aggregate gives it, several lines in one row, and numbers twice.
		[DRAGGED, giving(...rowsOf('', null, '  '), ...LIST, {})],
		[DRAGGED, giving(...rowsOf([BEN, null, CLEO]))],
		[DRAGGED, giving(...rowsOf(`${BEN}\n\n${CLEO}`), ...LIST)],
	])('%s is the whole column, whatever the customers are linked to', async (entered, scene) => {
		await withheld(entered, scene);
	});

	// n8n gives it with Always Output Data.
	it.each([[[{}]], [rowsOf('', null)]])('is an empty list with the rows %j', async (rows) => {
		expect(await dragged(giving(...rows))).toMatchObject({
			sentTo: ALL,
			told: expect.stringContaining('The list of Do Not Send To has 0 numbers.'),
		});
	});

	it.each<[string, Array<ReturnType<typeof to>>, string[]]>([
		['one', [[], to('Customers')], [ASHA, CLEO, DAN]],
		['both', [to('Customers'), to('Customers')], [ASHA, DAN]],
		['none, but the first', [], [ASHA, BEN, DAN]],
	])('is what the outputs give that lead to this node: %s', async (_, main, expected) => {
		const gives = () => [rowsOf(CLEO), rowsOf(BEN)];
		const Start = { main: [[...to('Customers'), ...to(NODE)]] };
		const { sentTo } = await dragged({ gives, connections: { Start, [NODE]: { main } } });
		expect([...new Set(sentTo)].sort()).toEqual(expected);
	});

	// docs/sending.md: in a loop the rows of the latest round
	const LISTS = [
		[BEN, CLEO],
		[CLEO, DAN],
		[DAN, ASHA],
	];
	it.each([
		['in a loop', { Loop: { main: [to(NODE)] } }, LISTS],
		[
			'before a loop',
			{ [NODE]: { main: [to('Loop')] }, Loop: { main: [to('Customers')] } },
			[LISTS[0], LISTS[0]],
		],
	])('is what the node gave last: %s', async (_, connections, lists) => {
		const { sentTo } = await dragged({
			gives: (run) => [rowsOf(...LISTS[run])],
			rounds: 2,
			connections: { ...connections, Send: { main: [to('Loop'), []] } },
		});
		expect(sentTo).toEqual(lists.flatMap((listed) => ALL.filter((each) => !listed.includes(each))));
	});

	const failing: Scene = { node: { type: 'failing', onError: 'continueRegularOutput' } };

	it.each<[string, Scene]>([
		[
			'Row 3 of "Opt-outs" in Do Not Send To "n/a" is not a phone',
			giving(...rowsOf(BEN, '', 'n/a')),
		],
		[
			'To "+12025550111, +12025550112" contains more than one',
			giving(...rowsOf(`${BEN}, ${CLEO}`)),
		],
		[
			'No row of "Opt-outs" has "phone", which Do Not Send To reads. Drag the column into Do Not Send To again',
			giving({ Phone: BEN }, {}),
		],
		[
			'Row 1 of "Opt-outs" in Do Not Send To is an error. Look at the output of the node "Opt-outs", and correct',
			giving({ error: 'Oh' }, ...LIST.slice(1)),
		],
		['failed, so Do Not Send To has no list. Correct the node "Opt-outs", and run', failing],
		["Referenced node doesn't exist. Check the name", { node: { name: 'Stops' } }],
	])('is refused, and nothing is sent: %s', async (told, scene) => {
		expect(await dragged(scene)).toMatchObject({
			sentTo: [],
			told: expect.stringContaining(told),
		});
	});
});

const WHOLE = "$('Opt-outs').all().flatMap((row) => row.json.phone)";
const OF_ANY = WHOLE.replace('Opt-outs', 'Numbers');

// docs/sending.md: an expression that gives what one item has is refused
describe('an expression that gives what one item has', () => {
	it.each<[string, string]>([
		["={{ $('Opt-outs').first().json.phone }}", WHOLE],
		["={{ $('Opt-outs').all()[0].json.phones.join('\\n') }}", WHOLE.replace('phone', 'phones')],
		["={{ $('Opt-outs').all().at(-1).json.phone }}", WHOLE],
		["={{ $('Opt-outs').all().find((row) => row.json.phone).json.phone }}", WHOLE],
		["={{ $('Opt-outs').all().map((row) => row.json.phone)[0] }}", WHOLE],
		["={{ [$('Opt-outs').item.json['a b']] }}", WHOLE.replace('.phone', "['a b']")],
		["={{ $('Opt-outs').item.json.phone }}\n{{ $('Customers').item.json.to }}", WHOLE],
		['={{ $node["Opt-outs"].json.phone }}', WHOLE.replaceAll("'", '"')],
		['=+919876543210\n{{ $json.phone }}', OF_ANY],
	])('is refused, with the expression to use: %s', async (entered, instead) => {
		const scene = giving(...LIST.map((row) => ({ ...row, phones: [BEN] })));
		const { sentTo, told } = await campaign({ doNotSendTo: entered }, scene);
		expect(sentTo).toEqual([]);
		expect(told).toContain('The expression in Do Not Send To reads one item, or what a model');
		expect(told).toContain(`Use the whole list of a node before, such as {{ ${instead} }}.`);
	});

	it.each([
		`={{ ${WHOLE} }}`,
		`=${CLEO}\n{{ $('Opt-outs').all(0).slice(0, 1).map((row) => row.json.phone).join('\\n') }}`,
		`={{ $if(true, "${BEN}\\n${CLEO}", "") }}`,
	])('does not keep other lists from being read: %s', async (entered) => {
		await withheld(entered);
	});

	// The list has one number today, and may have several tomorrow.
	it.each([
		"={{ $('Opt-outs').all().map((row) => row.json.phone).join('\\n') }}",
		"={{ $('Opt-outs').all().map((row) => row.json.phone) }}",
		`={{ "${BEN}" }}`,
	])('is no list that has only one number: %s', async (entered) => {
		expect(await campaign({ doNotSendTo: entered }, giving(...rowsOf(BEN)))).toMatchObject({
			sentTo: [ASHA, CLEO, DAN],
			told: expect.stringContaining('The list of Do Not Send To has 1 number.'),
		});
	});
});

// Networks still write the retired 1 of Mexico's mobile numbers.
const MEXICAN = '+5215512345678';

/** To one customer, who has written, unless the scene says otherwise. */
const sendOnly = async (only: INodeParameters, scene: Scene = {}, more: INodeParameters = {}) =>
	await campaign(
		{ sendOnlyTo: { only }, ...more },
		{
			node: { name: 'Trigger', type: 'businessMessagingTrigger' },
			...giving(...rowsOf(ASHA)),
			customers: [ASHA],
			link: (item) => ({ item }),
			...scene,
		},
	);

const list = (numbers: string) => ({ who: 'list', numbers });
const WHO_WROTE = { who: 'whoWrote' };
const wrote = (...phones: unknown[]) => giving(...rowsOf(...phones));
const toBen: Scene = { customers: [BEN] };

// docs/sending.md: Send Only To
describe('with Send Only To', () => {
	it.each<[string, INodeParameters, Scene, INodeParameters?]>([
		['a number of the list, in any notation', list('+1 415 555 0123\n001 (202) 555-0110'), {}],
		['one of the list that is not in Do Not Send To', list(ASHA), {}, { doNotSendTo: BEN }],
		['one of the list, with a default country', list('202 555 0110'), {}, { defaultCountry: 'US' }],
		['a mobile number of Mexico, without its 1', list('+525512345678'), { customers: [MEXICAN] }],
		[
			'the list of an expression',
			list("={{ $('Customers').all().map((row) => row.json.to) }}"),
			{},
		],
		['a column called item', list("={{ $('Customers').all().map((row) => row.json.item) }}"), {}],
		['who wrote, as the option is added', {}, {}],
		['who wrote, of items that n8n links to no event', {}, { link: () => ({ item: 9 }) }],
		['who wrote from Mexico', WHO_WROTE, { ...wrote('+525512345678'), customers: [MEXICAN] }],
		['who wrote, of two events', WHO_WROTE, { ...wrote(ASHA, BEN), customers: [ASHA, BEN] }],
	])('a message goes to %s', async (...row) => {
		const [, only, scene, more] = row;
		expect((await sendOnly(only, scene, more)).sentTo).toEqual(scene.customers ?? [ASHA]);
	});

	const NOT_IN_LIST =
		/"\+12025550111" is not in the list of Send Only To \[item 0\]\. Leave the item out/;
	const READS_ITEM = /Send Only To reads one item, or what a model says/;
	const NOT_WHO_WROTE = /"\+12025550111" is not the number of who wrote/;
	const NO_EVENT = /no event of a Business.* A sub-workflow gets no event of its own\./;
	const NO_TRIGGER = { node: { name: 'Trigger', type: 'businessMessagingTriggers' } };

	it.each<[string, INodeParameters, Scene, RegExp]>([
		['to another number', list(ASHA), toBen, NOT_IN_LIST],
		['to anybody, of an empty list', list('={{ [] }}'), toBen, NOT_IN_LIST],
		['of a list that is empty', list(' '), {}, /^Send Only To is empty/],
		['of two numbers in one line', list(`${ASHA}, ${BEN}`), {}, /^Line 1 of .* by itself\./],
		['of a column', list("={{ $('Trigger').item.json.phone }}"), {}, /'\)\.all\(\)\.flatMap/],
		['of the item itself', list('={{ $json.list }}'), {}, READS_ITEM],
		['of all items', list('={{ $input.all().map((row) => row.json.to) }}'), {}, READS_ITEM],
		['of a model', list("={{ [$fromAI('to')] }}"), {}, READS_ITEM],
		['to another than who wrote', WHO_WROTE, toBen, NOT_WHO_WROTE],
		[
			'to who wrote another event',
			WHO_WROTE,
			{ ...wrote(BEN, ASHA), customers: [BEN, BEN] },
			NOT_WHO_WROTE,
		],
		['without such a trigger', WHO_WROTE, NO_TRIGGER, NO_EVENT],
		['of an event without a number', WHO_WROTE, wrote(undefined), NO_EVENT],
		['to whom it is not said', { who: 'nobody' }, {}, /^Who is "nobody"/],
	])('nothing is sent %s', async (_, only, scene, told) => {
		const left = await sendOnly(only, scene);
		expect(left).toMatchObject({ sentTo: [], told: expect.stringMatching(told) });
	});

	it('the item of another number alone is refused with Continue, by its code', async () => {
		const scene: Scene = { customers: [ASHA, BEN], onError: 'continueRegularOutput' };
		const left = await sendOnly(list(ASHA), scene);
		expect(left).toMatchObject({ sentTo: [ASHA], codes: [undefined, 'notAllowed'] });
	});
});
