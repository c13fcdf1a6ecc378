const core = globalThis.loadedOnce('n8n-core');

// n8n's engine gets its memory once; here each test file gives it one.
core.DataDeduplicationService.instance = undefined;

module.exports = core;
