module.exports = globalThis.loadedOnce(
	'n8n-core/dist/execution-engine/node-execution-context/utils/request-helper-functions',
);
