export default async function stopOnce() {
	await Promise.all(globalThis.n8nsOfThisRun.map(async (n8n) => await n8n.stop()));
}
