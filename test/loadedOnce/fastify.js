module.exports = globalThis.loadedOnce('fastify');
