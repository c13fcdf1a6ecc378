import fc from 'fast-check';
import { sample } from '../../support/sample.mts';
import {
	anySettings,
	type Execution,
	killableN8n,
	type Row,
	type Settings,
} from '../../support/simulation/killableN8n.mts';

const SEED = 35;

const CALM: Settings = {
	answers: ['sent'],
	batchSize: Infinity,
	concurrency: 2,
	goesOn: false,
	savesProgress: false,
	waits: false,
	keys: 'never',
	tellsBeginning: true,
	fallsBack: false,
	hasTenants: false,
	spendingLimit: Infinity,
	pointMs: 1,
	givesUp: false,
};

const row = (customer: number, value: number, tenant = 0): Row => ({
	tenant,
	to: customer === 9 ? 'nobody' : `+9198765432${String(10 + customer)}`,
	value: `v${value}`,
});
const SHEET = [0, 1, 2, 3, 4].map((customer) => row(customer, customer));
/** The number that the node could not read was that of customer 2. */
const corrected = (each: Row): Row => (each.to === 'nobody' ? { ...each, to: row(2, 0).to } : each);

/** What n8n has stored of a run that failed, as the node reads it with other parameters. */
function correct({ round }: Execution['stored']) {
	if (!round) return;
	round.rows = round.rows.map(corrected);
	round.rest = round.rest.map(corrected);
}

function countOf(rows: Row[], key: (row: Row) => string) {
	const counts = new Map<string, number>();
	for (const each of rows) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
	return counts;
}

const toWhom = ({ tenant, to }: Row) => `${tenant} ${to}`;
const what = ({ tenant, to, value }: Row) => `${tenant} ${to} ${value}`;
const isTold = ({ message_id, sentBefore }: { message_id?: unknown; sentBefore?: unknown }) =>
	message_id !== undefined || sentBefore === true;
const errorOf = ({ json }: Execution['outputs'][number]) =>
	(json.error as { code?: string; outcome?: string } | undefined) ?? {};

type N8n = ReturnType<typeof killableN8n>;
type Begun = Parameters<N8n['run']>[number];

/**
 * Nobody gets more messages than a sheet had for them, nobody is told to have one that was not sent, and no more is
 * spent than the limit.
 */
function assertTrue(
	{ ledger, executions }: N8n,
	sheets: Row[][],
	{
		limit = Infinity,
		keys = 'never',
		lineages = executions.filter(({ parent }) => !parent).length,
	}: { limit?: number; keys?: Settings['keys']; lineages?: number } = {},
) {
	const reached = ledger.filter(({ reachesCustomer }) => reachesCustomer);
	// With keys, what was changed is another message.
	const whom = keys === 'always' ? what : toWhom;
	for (const [to, count] of countOf(reached, whom)) {
		const most = Math.max(...sheets.map((sheet) => countOf(sheet, whom).get(to) ?? 0));
		if (count > most * lineages) throw new Error(`${to} has ${count} messages`);
	}
	const spent = ledger.reduce((sum, { cost }) => sum + cost, 0);
	if (spent > limit + 1e-9) throw new Error(`INR ${spent} were spent`);
	const sent = countOf(ledger, what);
	for (const { id, outputs } of executions) {
		const told = outputs.filter(({ json }) => isTold(json)).map((each) => each.row);
		for (const [message, count] of countOf(told, what)) {
			// Of equal messages with a key only one is sent.
			const number = keys === 'never' ? count : Math.min(count, 1);
			if (number > (sent.get(message) ?? 0)) throw new Error(`${id} lies of ${message}`);
		}
	}
}

/** What an execution tells as not sent, no execution has sent by then. */
function assertNotSent({ ledger }: N8n, { outputs }: Execution, keys: Settings['keys']) {
	const rows = (those: Execution['outputs']) => those.map((each) => each.row);
	// What was not delivered is another message once it has a key.
	const counts = ledger.filter((each) => keys === 'never' || each.reachesCustomer);
	const [all, sent] = [countOf(rows(outputs), what), countOf(counts, what)];
	const notSent = rows(outputs.filter((each) => errorOf(each).outcome === 'notSent'));
	for (const [message, count] of countOf(notSent, what)) {
		if ((sent.get(message) ?? 0) > (all.get(message) ?? 0) - count) {
			throw new Error(`${message} was sent`);
		}
	}
}

/** Of runs that are killed at one point after the other, until one gets to its end. */
async function* killedAnywhere(changes: Partial<Settings>, sheet: Row[]) {
	for (let kills = 0; ; kills++) {
		const settings = { ...CALM, ...changes };
		const n8n = killableN8n(settings);
		const first = n8n.begin();
		await n8n.run([first, sheet, kills]);
		if (first.status === 'success') return expect(kills).toBeGreaterThan(20);
		yield { kills, settings, n8n, first };
	}
}

beforeAll(async () => {
	// This process tries out once whether n8n gives rows.
	const n8n = killableN8n(CALM);
	await n8n.run([n8n.begin(), SHEET]);
});

// README: retries never resend a message
it.each([
	['', {}, SHEET.toReversed()],
	[' in a loop', { batchSize: 2 }, SHEET],
	[' in a loop that saves its progress', { batchSize: 2, savesProgress: true }, SHEET],
])('killed at any point%s, a Retry sends the rest', async (_, changes, sheet) => {
	for await (const { kills, n8n, first } of killedAnywhere({ goesOn: true, ...changes }, SHEET)) {
		const wasAtNode = n8n.table.statements.includes('insert');
		const retry = n8n.begin(first);
		await n8n.run([retry, sheet]);
		assertTrue(n8n, [SHEET]);
		const refused = retry.outputs.filter((each) => errorOf(each).code === 'notStored');
		expect([kills, refused.length]).toEqual([kills, wasAtNode ? 0 : SHEET.length]);
		const unknown = retry.outputs.filter((each) => errorOf(each).outcome === 'unknown');
		expect(unknown.length - refused.length).toBeLessThanOrEqual(CALM.concurrency);
	}
});

// docs/after-a-crash.md: a loop; good-to-know.md: the node has changed since
it.each([
	['a wrong row was corrected', {}, SHEET.with(2, row(9, 2))],
	['an account has another key', { hasTenants: true, answers: ['sent', 'refused'] }, SHEET],
	[
		'one of many to a number failed',
		{ answers: ['sent', 'refused'] },
		SHEET.map((_, i) => row(0, i)),
	],
] as const)(
	'after %s, the Retry of a loop that failed sends all that is left',
	async (_, changes, sheet) => {
		const n8n = killableN8n({ ...CALM, batchSize: 2, concurrency: 1, ...changes } as Settings);
		const first = n8n.begin();
		await n8n.run([first, [...sheet]]);
		expect(first.status).toBe('error');
		correct(first.stored);
		for (let retries = 0; retries < 5; retries++) {
			const last = n8n.executions[n8n.executions.length - 1];
			if (last.status === 'success') break;
			await n8n.run([n8n.begin(last), sheet.map(corrected)]);
		}
		const told = n8n.executions.flatMap(({ error }) => error ?? []);
		expect(told.filter((error) => error.includes('rounds'))).toEqual([]);
		expect(n8n.ledger).toHaveLength(SHEET.length);
	},
);

it('a Retry of a killed loop that is refused for a wrong row spoils nothing for the next one', async () => {
	const wrong = SHEET.with(1, row(9, 1));
	let refusals = 0;
	for await (const { kills, settings, n8n, first } of killedAnywhere({ batchSize: 2 }, SHEET)) {
		const refused = n8n.begin(first);
		await n8n.run([refused, wrong]);
		if (!refused.error?.includes('is not a phone number')) continue;
		refusals++;
		settings.goesOn = true;
		await n8n.run([n8n.begin(first), SHEET]);
		assertTrue(n8n, [SHEET]);
		const inFlight = SHEET.length - n8n.ledger.length;
		expect([kills, inFlight <= CALM.concurrency]).toEqual([kills, true]);
	}
	expect(refusals).toBeGreaterThan(20);
});

// docs/after-a-crash.md: press Retry at any execution of the run
it('a run that goes on although it is retried sends on, and nobody gets a message twice', async () => {
	let met = 0;
	for (let startsAfterMs = 0; startsAfterMs < 200; startsAfterMs += 3) {
		const n8n = killableN8n({ ...CALM, goesOn: true });
		const first = n8n.begin();
		const retry = n8n.begin(first);
		await n8n.run([first, SHEET], [retry, SHEET.toReversed(), undefined, startsAfterMs]);
		assertTrue(n8n, [SHEET]);
		expect(n8n.ledger).toHaveLength(SHEET.length);
		if (retry.outputs.some(({ json }) => json.sentBefore)) met++;
	}
	expect(met).toBeGreaterThan(10);
});

/** The last one has a number that can't be read. */
const anyRow = fc.record({
	customer: fc.constantFrom(0, 0, 1, 1, 2, 2, 9),
	value: fc.nat(2),
	tenant: fc.nat(1),
});
const anySheet = fc
	.array(anyRow, { minLength: 1, maxLength: 7 })
	.map((rows) => rows.map(({ customer, value, tenant }) => row(customer, value, tenant)));
const anyKill = fc.option(fc.nat(90), { nil: undefined });
const press = { of: fc.nat(), kill: anyKill, startsAfterMs: fc.nat(60) };
const anyRetry = fc.record(press);
const anyAct = fc.record({
	/** Of these executions, at the same time. */
	retries: fc.array(anyRetry, { minLength: 1, maxLength: 3 }),
	sheet: fc.option(anySheet, { nil: undefined, freq: 3 }),
	isLatest: fc.boolean(),
	/** The node can read all numbers from now on. */
	corrects: fc.boolean(),
});

it('whatever is killed, changed and retried, nobody gets a message twice, and nobody is told a lie', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.record(anySettings),
			anySheet,
			anyKill,
			fc.record({
				/** Of the first execution, while it runs. */
				retries: fc.array(anyRetry, { maxLength: 2 }),
				hasTwin: fc.constantFrom(false, false, false, true),
			}),
			fc.array(anyAct, { maxLength: 5 }),
			async (settings, first, kill, { retries, hasTwin }, acts) => {
				const n8n = killableN8n(settings);
				const ofTenants = (rows: Row[]) =>
					settings.hasTenants ? rows : rows.map((each) => ({ ...each, tenant: 0 }));
				const sheet = ofTenants(first);
				const sheets = [sheet];
				const original = n8n.begin();
				const twins = hasTwin ? [n8n.begin(undefined, original)] : [];
				await n8n.run(
					...[original, ...twins].map((each): Begun => [each, sheet, kill]),
					...retries.map(({ kill: dies, startsAfterMs }): Begun => {
						return [n8n.begin(original), sheet.toReversed(), dies, startsAfterMs + 1];
					}),
				);
				for (const act of acts) {
					const open = n8n.executions.filter(
						({ status }) => !['success', 'never'].includes(status),
					);
					if (open.length === 0) break;
					if (act.sheet) sheets.push(ofTenants(act.sheet));
					if (act.corrects) {
						sheets.push(...sheets.map((each) => each.map(corrected)));
						for (const { stored } of open) correct(stored);
					}
					const begun = act.retries.map(({ of, kill: dies, startsAfterMs }): Begun => {
						const parent = open.at(act.isLatest ? -1 : of % open.length)!;
						return [n8n.begin(parent), sheets[sheets.length - 1], dies, startsAfterMs];
					});
					await n8n.run(...begun);
					// Of two, one may tell it before the other sends.
					if (begun.length === 1) assertNotSent(n8n, begun[0][0], settings.keys);
				}
				// The limit is one of each round of a loop, and counts what was sent for the rows that there still are.
				const { batchSize, spendingLimit, keys } = settings;
				const isAlone =
					!hasTwin && retries.length === 0 && acts.every((act) => act.retries.length === 1);
				const isExact =
					isAlone && batchSize === Infinity && sheets.length === 1 && keys !== 'always';
				const limit = isExact ? spendingLimit : Infinity;
				assertTrue(n8n, sheets, { limit, keys });
			},
		),
		sample(30, SEED),
	);
});

const anyPress = fc.record({ isOfCaller: fc.boolean(), ...press });
const { answers, goesOn, savesProgress } = anySettings;

// docs/after-a-crash.md: in a sub-workflow
it('whatever is killed and retried, a caller and what it calls send nobody a message twice', async () => {
	let played = 0;
	let sentByRetries = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				answers,
				goesOn,
				savesProgress,
				keys: fc.constantFrom('never', 'never', 'always'),
				pointMs: fc.constantFrom(1, 2000),
			}),
			fc.array(anySheet, { minLength: 1, maxLength: 4 }),
			fc.record({ failsBefore: fc.boolean(), kill: fc.option(fc.nat(250), { nil: undefined }) }),
			/** Retries at the same time. */
			fc.array(fc.array(anyPress, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
			async (any, given, { failsBefore, kill }, acts) => {
				played++;
				const n8n = killableN8n({ ...CALM, ...any });
				const sheets = given.map((rows) => rows.map((each) => ({ ...each, tenant: 0 })));
				const first = n8n.beginCaller();
				if (failsBefore) Object.assign(first, { next: 'nodeBefore', status: 'error' });
				else await n8n.together([async () => await n8n.call(first, sheets, kill)]);
				for (const presses of acts) {
					const callers = n8n.callers.filter(({ status }) => status !== 'success');
					const called = n8n.executions.filter(({ status }) => status !== 'success');
					const retries = presses.flatMap(({ isOfCaller, of, kill: dies, startsAfterMs }) => {
						const after = startsAfterMs + 1;
						if (isOfCaller && callers.length > 0) {
							const retry = n8n.beginCaller(callers[of % callers.length]);
							return async () => await n8n.call(retry, sheets, dies, after);
						}
						if (isOfCaller || called.length === 0) return [];
						const parent = called[of % called.length];
						const retry = n8n.begin(parent);
						return async () => void (await n8n.execute(retry, parent.sheet, dies, after));
					});
					await n8n.together(retries);
				}
				if (failsBefore && n8n.ledger.length > 0) sentByRetries++;
				assertTrue(n8n, [sheets.flat()], { keys: any.keys, lineages: 1 });
			},
		),
		sample(50, SEED),
	);
	expect(sentByRetries).toBeGreaterThanOrEqual(Math.floor(played / 100));
});
