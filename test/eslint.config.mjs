/** Never published: what holds here stands in eslint.strict.config.mjs. */
export default [{}];
