/**
 * In a process of its own: computes the parameters of nodes, as n8n does for each node of a workflow whenever it
 * makes that workflow, and prints the ms that each node took.
 */
const { NodeHelpers } = require('n8n-workflow');
const { basename } = require('node:path');

const ROUNDS = 40;
const WARM_UP_ROUNDS = 10;
const CALLS = 10;

const sides = JSON.parse(process.argv[2]).map(({ name, file, version, parameters }) => {
	const NodeClass = require(file)[basename(file, '.node.js')];
	const node = new NodeClass();
	const { description } = node.getNodeType?.(version) ?? node;
	const stored = { typeVersion: version, parameters };
	const times = [];
	const take = () => {
		const startedAt = performance.now();
		for (let call = 0; call < CALLS; call++) {
			NodeHelpers.getNodeParameters(
				description.properties,
				parameters,
				true,
				false,
				stored,
				description,
			);
		}
		times.push((performance.now() - startedAt) / CALLS);
	};
	return { name, take, times };
});

for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
	for (const { take } of sides) take();
}
const medianOf = (times) => times.sort((a, b) => a - b)[times.length / 2];
const results = sides.map(({ name, times }) => [name, medianOf(times.slice(WARM_UP_ROUNDS))]);
console.log(JSON.stringify(Object.fromEntries(results)));
