import { createContext, runInContext } from 'node:vm';

import { examples, pinnedItems } from '../../support/examples.mts';

const [, manyAccounts] = examples.find(([name]) => name === 'many-accounts')!;
const { jsCode } = manyAccounts.nodes.find(({ name }) => name === 'For each branch')!.parameters;

/** What the Code node makes of the items that were sent. */
function count(items: object[]) {
	const context = createContext({ $input: { all: () => items.map((json) => ({ json })) } });
	return JSON.parse(
		JSON.stringify(runInContext(`(() => {${String(jsCode)}})()`, context)),
	) as unknown;
}

test('only messages of this run count as sent and cost something', () => {
	const sent = pinnedItems(manyAccounts, 'Remind');
	const sentBefore = ['berlin', 'oslo'].map((branch) => ({ sentBefore: true, input: { branch } }));
	expect(count([...sent, ...sentBefore])).toEqual([
		{ json: { branch: 'berlin', sent: 1, cost: 0.115 } },
		{ json: { branch: 'pune', sent: 1, cost: 0.115 } },
		{ json: { branch: 'oslo', sent: 0, cost: 0 } },
	]);
});
