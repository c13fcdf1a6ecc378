import { type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import type { LocalApi } from '../../playground/api/server.mts';
import { eventually } from '../../playground/eventually.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { installN8n } from '../../playground/n8n/install.mts';
import type { Execution } from '../../playground/n8n/rest/executions.mts';
import type { SavedWorkflow } from '../../playground/n8n/rest/workflows.mts';
import type { N8n } from '../../playground/n8n/start.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';
import { ACTION, TRIGGER } from '../../playground/n8n/typeNames.mts';
import { postJson } from '../support/postJson.mts';
import { answer } from '../support/questionPage.mts';
import { newUserFolder, recipientsOf, restore, start, startApi, versions } from './fixture.mts';
import {
	BRANCHES,
	customer,
	EVENTS,
	type Facts,
	OPTED_OUT,
	QUESTIONS,
	rowsOf,
	type Scene,
	SCENES,
	WAIT_MINUTES,
} from './scenes.mts';

jest.setTimeout(300_000);

/** How long after the fixture was made, by n8n's clock: the wait between two rounds then still takes 90 s. */
const LATER_MS = WAIT_MINUTES * 60_000 - 90_000;
const NEWEST_ONLY = process.env.UPGRADE_FIXTURES === 'newest';
const EXCEPTIONS =
	/TypeError|ReferenceError|Cannot (?:read|convert|set)|is not (?:a function|iterable)|unforeseen/;

describe.each(versions().slice(NEWEST_ONLY ? -1 : 0))('what version %s has stored', (version) => {
	let n8n: N8n;
	let api: LocalApi;
	let facts: Facts;

	beforeAll(async () => {
		await installN8n();
		const userFolder = await newUserFolder(version, await packPackage());
		facts = restore(version, userFolder);
		n8n = await start(userFolder, Date.now() - facts.madeAt - LATER_MS);
		api = await startApi();
		await saveAccount(n8n, 'Upgrade', { baseUrl: api.url });
	});

	afterAll(async () => {
		await n8n?.stop();
		await api?.close();
	});

	const idOf = (name: string) => facts.workflows[name].id;
	const newest = async (name: string) => (await n8n.client.executions.list(idOf(name), 1))[0];
	const post = async (name: string, body: object) =>
		await postJson(n8n.url + facts.workflows[name].path, body);

	/** The next execution of the workflow, when it has ended. */
	async function next(name: string, begin: () => Promise<unknown>): Promise<Execution> {
		const last = (await newest(name))?.id;
		await begin();
		return await eventually(`the run of ${name}`, async () => {
			const run = await newest(name);
			return run && run.id !== last && /success|error/.test(run.status) ? run : undefined;
		});
	}

	const everybody = () => [...facts.recipients, ...recipientsOf(api)];
	/** How often each of the scene's customers had a message, before and since. */
	function times(scene: Scene, count = SCENES[scene]): number[] {
		const counted = (item: number) => everybody().filter((to) => to === customer(scene, item));
		return Array.from({ length: count }, (_, item) => counted(item).length);
	}

	it.each(['Failed', 'Stopped', 'Killed'] as const)(
		'%s: Retry sends the rest once',
		async (name) => {
			const before = await eventually('the end', async () => {
				const run = await newest(name);
				return run && /error|canceled|crashed/.test(run.status) ? run : undefined;
			});
			await next(name, async () => await n8n.client.executions.retry(before.id));
			const counts = times(name);
			expect(Math.max(...counts)).toBe(1);
			// A message under way when n8n was killed, or stopped, may have been sent or not.
			expect(counts.filter((count) => count === 0).length).toBeLessThan(2);
		},
	);

	it.each(['Keys', 'Capped'] as const)('%s: nobody gets it again', async (name) => {
		await next(name, async () => await post(name, { rows: rowsOf(name) }));
		expect(times(name)).toEqual([1, 1, 1]);
		await next(name, async () => await post(name, { rows: rowsOf(name, 10) }));
		expect(times(name, 13).slice(10)).toEqual([1, 1, 1]);
	});

	it('Events: a redelivered one runs nothing, a new one does', async () => {
		const count = async () => await n8n.client.executions.count(idOf('Events'));
		const before = await count();
		const answers: number[] = [];
		for (const event of EVENTS) answers.push((await post('Events', event)).status);
		const fresh = { ...EVENTS[0], data: { ...EVENTS[0].data, message_id: 'new' } };
		answers.push((await post('Events', fresh)).status);
		const isOver = async () => (await count()) >= before + answers.length;
		await eventually('the runs', isOver);
		const runs = await n8n.client.executions.list(idOf('Events'));
		const left = ({ data }: Execution) => data.resultData.runData.Trigger?.[0].data?.main ?? [];
		const went = runs.filter((run) => left(run).some((items) => items?.length));
		expect(went).toHaveLength(EVENTS.length + 1);
		expect(answers).toEqual(answers.map(() => 200));
	});

	it.each([
		['approval', { choice: '0' }, { approved: true }],
		['answers', { choice: '1' }, { answer: 'Monday' }],
		['freeText', { text: 'On Friday' }, { text: 'On Friday' }],
	])('the question for %s takes its answer', async (kind, fields, told) => {
		expect(Object.keys(QUESTIONS)).toContain(kind);
		const page = await answer(n8n.url + facts.questions[kind], fields);
		expect(page.status).toBe(200);
		const run = await eventually('the answer', async () => {
			const answered = await newest(kind);
			return answered?.status === 'success' ? answered : undefined;
		});
		const [item] = run.data.resultData.runData.After[0].data?.main[0] ?? [];
		expect(item.json).toMatchObject(told);
	});

	it('Options: each item leaves where it did, and what is withheld stays withheld', async () => {
		const rows = [...rowsOf('Options', 10), { to: 'nobody' }];
		const run = await next('Options', async () => await post('Options', { rows }));
		for (const to of OPTED_OUT) expect(everybody()).not.toContain(to);
		const left = BRANCHES.map((name) => run.data.resultData.runData[name]?.[0].data?.main[0] ?? []);
		expect(left.map((items) => items.length)).toEqual([2, 1, 1]);
		const dry = await next('Dry', async () => await post('Dry', { rows: rowsOf('Options', 20) }));
		expect(dry.status).toBe('success');
		expect(times('Options', 30).slice(20)).toEqual(Array(10).fill(0));
	});

	it('every workflow has the same parameters in the editor, and can be published', async () => {
		const { session, workflows } = n8n.client;
		const response = await session.get('/types/nodes.json');
		const types = (await response.json()) as INodeTypeDescription[];
		for (const { id } of Object.values(facts.workflows)) {
			const workflow = await session.call<SavedWorkflow>('GET', `/workflows/${id}`);
			for (const node of workflow.nodes.filter(({ type }) => [ACTION, TRIGGER].includes(type))) {
				const type = types.find((each) => each.name === node.type)!;
				const given = [node.parameters as never, true, false, node as never, type] as const;
				const shown = NodeHelpers.getNodeParameters(type.properties, ...given);
				expect(shown).toMatchObject(node.parameters);
			}
			await workflows.unpublish(id);
			await workflows.publish(workflow);
		}
	});

	it('Waiting: the second round is sent, the first one not again', async () => {
		const [, second] = rowsOf('Waiting');
		// It waits once more behind this round.
		const isSent = () => recipientsOf(api).includes(second.to);
		await eventually('the end of the wait', isSent, 120_000);
		expect(Math.max(...times('Waiting'))).toBe(1);
	});

	it('no execution has ended with an exception', async () => {
		const all = Object.values(facts.workflows).map(
			async ({ id }) => await n8n.client.executions.list(id),
		);
		const errors = (await Promise.all(all))
			.flat()
			.map(({ data }) => data.resultData.error?.message);
		expect(errors.filter((error) => error && EXCEPTIONS.test(error))).toEqual([]);
		expect(readFileSync(n8n.logFile, 'utf8')).not.toMatch(EXCEPTIONS);
	});
});
