// Dates without a zone must not depend on where the tests run; in UTC many mistakes hide.
process.env.TZ = 'Asia/Kolkata';

const base = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.[cm]?[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// Published as ES modules only.
	transformIgnorePatterns: ['/node_modules/(?!(nanoid|p-limit|yocto-queue)/)'],
	modulePathIgnorePatterns: ['<rootDir>/.cache', '<rootDir>/playground/n8n/node_modules'],
};

const tier = (name, settings) => ({
	...base,
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	...settings,
});

const offline = {
	setupFiles: [
		'<rootDir>/test/support/loopbackOnly.ts',
		'<rootDir>/test/support/n8nEnvironment.ts',
	],
};

module.exports = {
	projects: [
		tier('unit', offline),
		tier('nodes', offline),
		tier('workflow', offline),
		tier('e2e', {
			globalSetup: '<rootDir>/test/e2e/globalSetup.ts',
			globalTeardown: '<rootDir>/test/e2e/globalTeardown.ts',
		}),
		tier('queue'),
	],
};
