import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { useFaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const ALL = [0, 1, 2, 3].map((last) => `+1202555011${last}`);
const [ASHA, BEN, CLEO, DAN] = ALL;
const NODE = 'Opt-outs';
const DRAGGED = "={{ $('Opt-outs').item.json.phone }}";
const rowsOf = (...phones: unknown[]) => phones.map((phone) => ({ phone }) as IDataObject);
const LIST = rowsOf('001 (202) 555-0111', 12025550112);
const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
const asItems = (rows: IDataObject[]) => rows.map((json) => ({ json, pairedItem: { item: 0 } }));

const server = useFaultServer();

interface Scene {
	/** The node with the list. */
	node?: Partial<INode>;
	/** What it gives on each of its outputs, in each of its runs. */
	gives?: (run: number) => IDataObject[][];
	connections?: WorkflowToRun['connections'];
	/** To which of its rows a customer is linked. */
	link?: (customer: number) => INodeExecutionData['pairedItem'];
	/** How often the node with the list runs, or only the nodes behind it. */
	rounds?: number;
	settings?: WorkflowToRun['settings'];
	options?: INodeParameters;
}

/** Sends to four customers, behind a node that has the list. */
async function campaign(doNotSendTo: string, scene: Scene = {}) {
	const { node, gives = () => [LIST], link = () => ({ item: 0 }), rounds = 1, settings } = scene;
	const name = node?.name ?? NODE;
	let runs = 0;
	const nodeTypes = {
		optOuts: madeUpNode(async () => gives(runs++).map(asItems), {
			outputs: gives(0).map(() => 'main' as const),
		}),
		customers: madeUpNode(async () => [
			ALL.map((phone, item) => ({ json: { to: phone }, pairedItem: link(item) })),
		]),
		loop: madeUpNode(
			async function () {
				const memory = this.getContext('node');
				memory.round = Number(memory.round ?? 0) + 1;
				const items = asItems([{}]);
				return Number(memory.round) <= rounds ? [items, []] : [[], items];
			},
			{ outputs: ['main', 'main'] },
		),
		failing: madeUpNode(async () => {
			throw new Error('Too many requests');
		}),
		businessMessaging: new BusinessMessaging(),
	};
	const parameters = { ...SEND, options: { requestsPerMinute: 0, doNotSendTo, ...scene.options } };
	const { run, output } = await runWorkflow({
		nodes: [
			{ name: 'Start', type: 'customers' },
			{ type: 'optOuts', ...node, name },
			{ name: 'Loop', type: 'loop' },
			{ name: 'Customers', type: 'customers' },
			{ name: 'Send', type: 'businessMessaging', parameters },
		],
		connections: {
			Start: { main: [to(name)] },
			[name]: { main: [to('Customers')] },
			Customers: { main: [to('Send')] },
			...scene.connections,
		},
		nodeTypes,
		settings,
		credentials: [
			{ type: new BusinessMessagingApi(), data: { baseUrl: server.url, apiKey: API_KEY } },
		],
	});
	const { error, runData } = run.data.resultData;
	return {
		sentTo: server.sentTo,
		skipped: output('Send', 1).map(({ json }) => json.to),
		told: error
			? `${error.message}. ${error.description}`
			: runData.Send.at(-1)?.hints?.[0]?.message,
	};
}

const WITHHELD = {
	sentTo: [ASHA, DAN],
	skipped: [BEN, CLEO],
	told: expect.stringContaining(
		'2 skipped: in the list of Do Not Send To. The list of Do Not Send To has 2 numbers.',
	),
};

// docs/sending.md: a column that is dragged means all rows
describe('a column that is dragged from another node', () => {
	const columnOf = (column: string) => ({
		gives: () => [[...LIST.map(({ phone }) => ({ [column]: phone })), {}]],
	});
	const nested = LIST.map(({ phone: number }) => ({ contact: { phones: [{ number }] } }));
	const combined = { settings: { binaryMode: 'combined' as const } };

	it.each<[string, Scene]>([
		[DRAGGED, { link: (customer) => ({ item: customer % 2 }) }],
		[DRAGGED, { link: () => undefined }],
		["={{$('Opt-outs').item?.json?.phone}} ", {}],
		['={{ $("Opt-outs").item.json["phone number"] }}', columnOf('phone number')],
		["={{ $('Opt-outs').item.json['customer\\'s [1]'] }}", columnOf("customer's [1]")],
		["={{ $('Opt-outs').item.json.téléphone }}", columnOf('téléphone')],
		["={{ $('Opt-outs').item.json.constructor }}", columnOf('constructor')],
		['={{ $("Ben\'s \\"list\\"").item.json.phone }}', { node: { name: 'Ben\'s "list"' } }],
		["={{ $('Opt-outs').item.json.contact.phones[0].number }}", { gives: () => [nested] }],
		["={{ $('Opt-outs').item['phone number'] }}", { ...columnOf('phone number'), ...combined }],
	])('%s is the whole column, whatever the customers are linked to', async (entered, scene) => {
		expect(await campaign(entered, scene)).toEqual(WITHHELD);
	});

	it.each<[string, IDataObject[]]>([
		['empty cells', [...rowsOf('', null, '  '), ...LIST, {}]],
		['a list in one row, as Aggregate gives it', rowsOf([BEN, null, CLEO])],
		['several lines in one row', rowsOf(`${BEN}\n\n${CLEO}`)],
		['the same number twice', [...LIST, ...LIST]],
	])('may have %s', async (_, rows) => {
		expect(await campaign(DRAGGED, { gives: () => [rows] })).toEqual(WITHHELD);
	});

	// n8n gives it with Always Output Data.
	it.each([[[{}]], [rowsOf('', null)]])('is an empty list with the rows %j', async (rows) => {
		expect(await campaign(DRAGGED, { gives: () => [rows] })).toMatchObject({
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
		const { sentTo } = await campaign(DRAGGED, { gives, connections: { Start, [NODE]: { main } } });
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
		const { sentTo } = await campaign(DRAGGED, {
			gives: (run) => [rowsOf(...LISTS[run])],
			rounds: 2,
			connections: { ...connections, Send: { main: [to('Loop'), []] } },
		});
		expect(sentTo).toEqual(lists.flatMap((listed) => ALL.filter((each) => !listed.includes(each))));
	});

	const giving = (...rows: IDataObject[]): Scene => ({ gives: () => [rows] });
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
		['No row of "Opt-outs" has "phone", which Do Not Send To reads', giving({ Phone: BEN }, {})],
		[
			'Row 2 of "Opt-outs" in Do Not Send To is an error',
			giving(...LIST.slice(1), { error: 'Oh' }),
		],
		['failed, so Do Not Send To has no list. Correct the node "Opt-outs", and run', failing],
		["Referenced node doesn't exist. Check the name", { node: { name: 'Stops' } }],
	])('is refused, and nothing is sent: %s', async (told, scene) => {
		expect(await campaign(DRAGGED, scene)).toMatchObject({
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
		["=+91{{ $('Opt-outs').item.json.phone }}", WHOLE],
		["={{ $('Opt-outs').item.json.phone }}\n{{ $('Customers').item.json.to }}", WHOLE],
		['={{ $node["Opt-outs"].json.phone }}', WHOLE.replaceAll("'", '"')],
		['=+919876543210\n{{ $json.phone }}', OF_ANY],
	])('is refused, with the expression to use: %s', async (entered, instead) => {
		const gives = () => [LIST.map((row) => ({ ...row, phones: [BEN] }))];
		const { sentTo, told } = await campaign(entered, { gives });
		expect(sentTo).toEqual([]);
		expect(told).toContain('The expression in Do Not Send To reads one item, or what a model');
		expect(told).toContain(`Use the whole list of a node before, such as {{ ${instead} }}.`);
	});

	it.each([
		`={{ ${WHOLE} }}`,
		`=${CLEO}\n{{ $('Opt-outs').all(0).slice(0, 1).map((row) => row.json.phone).join('\\n') }}`,
		`${BEN}\n${CLEO}`,
		`={{ $if(true, "${BEN}\\n${CLEO}", "") }}`,
	])('does not keep other lists from being read: %s', async (entered) => {
		expect(await campaign(entered)).toEqual(WITHHELD);
	});

	// The list has one number today, and may have several tomorrow.
	it.each([
		"={{ $('Opt-outs').all().map((row) => row.json.phone).join('\\n') }}",
		"={{ $('Opt-outs').all().map((row) => row.json.phone) }}",
		`={{ "${BEN}" }}`,
	])('is no list that has only one number: %s', async (entered) => {
		expect(await campaign(entered, { gives: () => [rowsOf(BEN)] })).toMatchObject({
			sentTo: [ASHA, CLEO, DAN],
			told: expect.stringContaining('The list of Do Not Send To has 1 number.'),
		});
	});
});
