module.exports = globalThis.loadedOnce('libphonenumber-js/max');
