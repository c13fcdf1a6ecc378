import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';
import { BusinessMessaging } from '../../nodes/BusinessMessaging/BusinessMessaging.node';
import { madeUpNode, runWorkflow, type WorkflowToRun } from '../support/engine.mts';
import { MISBEHAVIORS, startFaultServer, type FaultServer } from '../support/faultServer.mts';
import { API_KEY, SEND } from '../support/runNode.mts';

const [ASHA, BEN, CLEO, DAN] = [0, 1, 2, 3].map((last) => `+1202555011${last}`);
const NODE = 'Opt-outs';
const DRAGGED = "={{ $('Opt-outs').item.json.phone }}";
const rowsOf = (...phones: unknown[]) => phones.map((phone) => ({ phone }) as IDataObject);
const LIST = rowsOf('001 (202) 555-0111', 12025550112);
const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
const asItems = (rows: IDataObject[]) => rows.map((json) => ({ json, pairedItem: { item: 0 } }));

let server: FaultServer;

beforeEach(async () => {
	server = await startFaultServer(() => MISBEHAVIORS.sent);
});

afterEach(async () => await server.close());

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
			[ASHA, BEN, CLEO, DAN].map((phone, item) => ({
				json: { to: phone },
				pairedItem: link(item),
			})),
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
			{ type: 'optOuts', ...node, name },
			{ name: 'Loop', type: 'loop' },
			{ name: 'Customers', type: 'customers' },
			{ name: 'Send', type: 'businessMessaging', parameters },
		],
		connections: {
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
		sentTo: server.received.map((body) => (JSON.parse(body) as { to: string }).to),
		skipped: output('Send', 1).map(({ json }) => json.to),
		hint: runData.Send?.at(-1)?.hints?.[0]?.message,
		error: error && [error.message, error.description],
	};
}

const WITHHELD = {
	sentTo: [ASHA, DAN],
	skipped: [BEN, CLEO],
	hint: expect.stringContaining(
		'2 skipped: in the list of Do Not Send To. The list of Do Not Send To has 2 numbers.',
	),
	error: undefined,
};

// docs/sending.md: a column that is dragged means all rows
describe('a column that is dragged from another node', () => {
	it.each<[string, Scene['link']]>([
		['one row', () => ({ item: 1 })],
		['a row each', (item) => ({ item: item % 2 })],
		['no row', () => undefined],
		['rows that are not there', (item) => ({ item: item + 7 })],
	])('withholds from all of its numbers, with customers that are linked to %s', async (_, link) => {
		expect(await campaign(DRAGGED, { link })).toEqual(WITHHELD);
	});

	const columnOf = (column: string) => ({
		gives: () => [LIST.map(({ phone }) => ({ [column]: phone }))],
	});
	const named = (name: string) => ({ node: { name } });
	const combined = { settings: { binaryMode: 'combined' as const } };
	it.each<[string, Scene]>([
		["={{$('Opt-outs').item?.json?.phone}} ", {}],
		['={{ $("Opt-outs").item.json["phone number"] }}', columnOf('phone number')],
		["={{ $('Opt-outs').item.json['customer\\'s [1]'] }}", columnOf("customer's [1]")],
		["={{ $('Opt-outs').item.json.téléphone }}", columnOf('téléphone')],
		["={{ $('Opt-outs').item.json.constructor }}", columnOf('constructor')],
		['={{ $("Ben\'s \\"list\\"").item.json.phone }}', named('Ben\'s "list"')],
		[
			"={{ $('Opt-outs').item.json.contact.phones[0].number }}",
			{ gives: () => [LIST.map(({ phone: number }) => ({ contact: { phones: [{ number }] } }))] },
		],
		["={{ $('Opt-outs').item.phone }}", combined],
		["={{ $('Opt-outs').item['phone number'] }}", { ...columnOf('phone number'), ...combined }],
	])('%s is the whole column', async (entered, scene) => {
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
			sentTo: [ASHA, BEN, CLEO, DAN],
			hint: expect.stringContaining('The list of Do Not Send To has 0 numbers.'),
		});
	});

	it('is what the outputs give that lead to this node', async () => {
		const gives = () => [rowsOf(ASHA), LIST];
		const connections = { [NODE]: { main: [[], to('Customers')] } };
		expect(await campaign(DRAGGED, { gives, connections })).toEqual(WITHHELD);
		server.received.length = 0;
		const both = { [NODE]: { main: [to('Customers'), to('Customers')] } };
		const parts = () => LIST.map((row) => [row]);
		const { sentTo } = await campaign(DRAGGED, { gives: parts, connections: both });
		expect(new Set(sentTo)).toEqual(new Set([ASHA, DAN]));
	});

	// docs/sending.md: in a loop the latest rows
	const LISTS = [
		[BEN, CLEO],
		[CLEO, DAN],
		[DAN, ASHA],
	];
	// docs/sending.md: in a loop the rows of the latest round
	it.each([
		[
			'before a loop',
			{ [NODE]: { main: [to('Loop')] }, Loop: { main: [to('Customers')] } },
			[LISTS[0], LISTS[0]],
		],
		['in a loop', { Loop: { main: [to(NODE)] } }, LISTS],
	])('is what the node gave last: %s', async (_, connections, lists) => {
		const { sentTo } = await campaign(DRAGGED, {
			gives: (run) => [rowsOf(...LISTS[run])],
			rounds: 2,
			connections: { ...connections, Send: { main: [to('Loop'), []] } },
		});
		const all = [ASHA, BEN, CLEO, DAN];
		expect(sentTo).toEqual(lists.flatMap((listed) => all.filter((each) => !listed.includes(each))));
	});

	it.each<[string, string, Scene]>([
		[
			'Row 3 of "Opt-outs" in Do Not Send To "n/a" is not a phone number',
			'Use digits with the country code',
			{ gives: () => [[...rowsOf(BEN, ''), ...rowsOf('n/a')]] },
		],
		[
			'Row 1 of "Opt-outs" in Do Not Send To "+12025550111, +12025550112" contains more than one number',
			'Enter each number by itself.',
			{ gives: () => [rowsOf(`${BEN}, ${CLEO}`)] },
		],
		[
			'No row of "Opt-outs" has "phone", which Do Not Send To reads',
			'Drag the column into Do Not Send To again',
			{ gives: () => [[{ Phone: BEN }, {}]] },
		],
		[
			'Row 2 of "Opt-outs" in Do Not Send To is an error',
			'Look at the output of the node "Opt-outs"',
			{ gives: () => [[...LIST.slice(0, 1), { error: 'Too many requests' }]] },
		],
		[
			'The node "Opt-outs" failed, so Do Not Send To has no list',
			'Correct the node "Opt-outs"',
			{ node: { type: 'failing', onError: 'continueRegularOutput' } },
		],
		[
			"Referenced node doesn't exist",
			'Check the name of the node "Opt-outs", and that it runs before this node.',
			{ node: { name: 'Stops' } },
		],
	])('is refused, and nothing is sent: %s', async (message, remedy, scene) => {
		expect(await campaign(DRAGGED, scene)).toMatchObject({
			sentTo: [],
			error: [expect.stringContaining(message), expect.stringContaining(remedy)],
		});
	});
});

const ALL = "$('Opt-outs').all().flatMap((row) => row.json.phone)";
const ANY = ALL.replace('Opt-outs', 'Numbers');

// docs/sending.md: an expression that gives what one item has is refused
describe('an expression that gives what one item has', () => {
	it.each<[string, string]>([
		["={{ $('Opt-outs').first().json.phone }}", ALL],
		["={{ $('Opt-outs').first().json.text.split(';') }}", ALL.replace('phone', 'text')],
		["={{ $('Opt-outs').all()[0].json.phones.join('\\n') }}", ALL.replace('phone', 'phones')],
		["={{ $('Opt-outs').all().at(-1).json.phone }}", ALL],
		["={{ $('Opt-outs').all().find((row) => row.json.phone).json.phone }}", ALL],
		["={{ $('Opt-outs').all().map((row) => row.json.phone)[0] }}", ALL],
		["={{ [$('Opt-outs').item.json['phone number']] }}", ALL.replace('.phone', "['phone number']")],
		["=+91{{ $('Opt-outs').item.json.phone }}", ALL],
		["={{ $('Opt-outs').item.json.phone }}\n{{ $('Customers').item.json.to }}", ALL],
		['={{ $node["Opt-outs"].json.phone }}', ALL.replaceAll("'", '"')],
		['={{ $json["to"] }}', ANY],
		['={{ $input.all().map((row) => row.json.phone) }}', ANY],
		['=+919876543210\n{{ $json.phone }}', ANY],
	])('is refused, with the expression to use: %s', async (entered, instead) => {
		const gives = () => [LIST.map((row) => ({ ...row, phones: [BEN], text: `${BEN};${CLEO}` }))];
		expect(await campaign(entered, { gives })).toMatchObject({
			sentTo: [],
			error: [
				expect.stringContaining('The expression in Do Not Send To reads one item, or what a model'),
				expect.stringContaining(`Use the whole list of a node before, such as {{ ${instead} }}.`),
			],
		});
	});

	it.each<[string]>([
		[`={{ ${ALL} }}`],
		["={{ $('Opt-outs').all().map((row) => row.json.phone).join('\\n') }}"],
		[`=${CLEO}\n{{ $('Opt-outs').all().slice(0, 1).map((row) => row.json.phone).join('\\n') }}`],
		[`${BEN}\n${CLEO}`],
		[`={{ "${BEN}\\n${CLEO}" }}`],
		[`={{ ["${BEN}", "${CLEO}"] }}`],
		[`={{ $if(true, "${BEN}\\n${CLEO}", "") }}`],
	])('does not keep other lists from being read: %s', async (entered) => {
		expect(await campaign(entered)).toEqual(WITHHELD);
	});

	// The list has one number today, and may have several tomorrow.
	it.each([
		"={{ $('Opt-outs').all().map((row) => row.json.phone).join('\\n') }}",
		"={{ $('Opt-outs').all().map((row) => row.json.phone) }}",
		DRAGGED,
		`={{ "${BEN}" }}`,
	])('is no list that has only one number: %s', async (entered) => {
		expect(await campaign(entered, { gives: () => [rowsOf(BEN)] })).toMatchObject({
			sentTo: [ASHA, CLEO, DAN],
			hint: expect.stringContaining(
				'1 skipped: in the list of Do Not Send To. The list of Do Not Send To has 1 number.',
			),
		});
	});
});

it('a dry run tells the size of the list', async () => {
	const { hint } = await campaign(DRAGGED, { options: { dryRun: true } });
	expect(hint).toContain('2 would be skipped: in the list of Do Not Send To.');
	expect(hint).not.toContain('Nobody');
	const { hint: nobody } = await campaign(DRAGGED, {
		options: { dryRun: true },
		gives: () => [rowsOf('+919876543210')],
	});
	expect(nobody).toContain('The list of Do Not Send To has 1 number.');
});

// docs/sending.md: a list takes both readings
it.each(['IN', 'US', 'DE', 'BR', 'ID', 'PK'])(
	'digits in the list also count with their own country code, with the default country %s',
	async (defaultCountry) => {
		const entries = [BEN.slice(1), Number(CLEO.slice(1))];
		const doNotSendTo = `={{ ${JSON.stringify(entries)} }}`;
		expect(await campaign(doNotSendTo, { options: { defaultCountry } })).toEqual(WITHHELD);
	},
);
