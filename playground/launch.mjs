/**
 * Starts a script of this folder with the parameters after its name. In plain JavaScript, so that an older Node.js, or
 * a missing installation, gives a sentence and not a stack.
 */
const [, , script] = process.argv;

function sentenceOf({ code, message }) {
	if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('package')) return undefined;
	return 'Its packages are missing: run npm ci --prefix playground/api, or npm ci for the whole project.';
}

if (!process.features.typescript) {
	console.error(
		`This needs Node.js 22.18 or newer, and this is ${process.versions.node}. npm ci brings a newer one along.`,
	);
	process.exitCode = 1;
} else {
	process.argv.splice(1, 2, script);
	try {
		await import(`./${script}`);
	} catch (error) {
		const sentence = sentenceOf(error);
		if (!sentence) throw error;
		console.error(sentence);
		process.exitCode = 1;
	}
}
