export default async function stopOnce() {
	await globalThis.n8nOfThisRun?.stop();
}
