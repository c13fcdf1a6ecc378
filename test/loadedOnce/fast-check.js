module.exports = globalThis.loadedOnce('fast-check');
