/** A process of its own: loads n8n-workflow, then the files that are named, and prints the ms that they took. */
require('n8n-workflow');

const files = process.argv.slice(2);
const startedAt = performance.now();
for (const file of files) {
	for (const nodeClass of Object.values(require(file))) new nodeClass();
}
console.log(performance.now() - startedAt);
