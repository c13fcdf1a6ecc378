module.exports = globalThis.loadedOnce('@n8n/config');
