module.exports = globalThis.loadedOnce('libphonenumber-js/min');
