/** In a process of its own: loads n8n-workflow, then the node files that are named, and prints the ms that these took. */
const { basename } = require('node:path');

require('n8n-workflow');

const files = process.argv.slice(2);
const startedAt = performance.now();
for (const file of files) {
	// n8n, too, finds the class by the name of the file, and makes one of it.
	const NodeClass = require(file)[basename(file, '.node.js')];
	new NodeClass();
}
console.log(performance.now() - startedAt);
