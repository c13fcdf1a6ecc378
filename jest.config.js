// Dates without a zone must not depend on where the tests run; in UTC many mistakes hide.
process.env.TZ = 'Asia/Kolkata';
// All servers are on this computer, and n8n's HTTP helper would ask a proxy for them.
process.env.no_proxy = process.env.NO_PROXY = 'localhost,127.0.0.1,[::1]';

const base = {
	testEnvironment: 'node',
	transform: {
		'^.+\\.[cm]?[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// Published as ES modules only.
	transformIgnorePatterns: ['/node_modules/(?!nanoid/)'],
	modulePathIgnorePatterns: ['<rootDir>/.cache', '<rootDir>/playground/n8n1?/node_modules'],
};

const tier = (name, settings) => ({
	...base,
	displayName: name,
	roots: [`<rootDir>/test/${name}`],
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	...settings,
});

const offline = {
	setupFiles: [
		'<rootDir>/test/support/loopbackOnly.mts',
		'<rootDir>/test/support/n8nEnvironment.mts',
	],
	setupFilesAfterEnv: ['<rootDir>/test/support/patience.mts'],
	testEnvironment: '<rootDir>/test/loadedOnce/environment.js',
	moduleNameMapper: {
		'^(?:@n8n/|n8n-core/.+/)?(config|di|fast-check|fastify|libphonenumber-js|n8n-core|n8n-workflow|request-helper-functions)(?:/max)?$':
			'<rootDir>/test/loadedOnce/$1.js',
	},
};

const inN8n = {
	globalSetup: '<rootDir>/test/e2e/globalSetup.mts',
	globalTeardown: '<rootDir>/test/e2e/globalTeardown.mts',
};
const e2e = tier('e2e', {
	...inN8n,
	testEnvironment: offline.testEnvironment,
	moduleNameMapper: { '^(fast-check|fastify)$': '<rootDir>/test/loadedOnce/$1.js' },
});

/** Run in other versions of n8n as well, by scripts/e2eCore.mjs; their editors differ. */
const core = [
	'accounts',
	'aiTool',
	'cancel',
	'credential',
	'nodeSettings',
	'optionsExpression',
	'package',
	'sendAndWait/answers',
	'sendAndWait/links',
	'triggerAnswers',
];

module.exports = {
	// Jest leaves one core idle unless it is told not to.
	maxWorkers: '100%',
	projects: [
		tier('unit', offline),
		tier('nodes', offline),
		tier('workflow', offline),
		tier('playground', offline),
		e2e,
		{
			...e2e,
			displayName: 'e2e:core',
			testMatch: core.map((name) => `<rootDir>/test/e2e/${name}.test.mts`),
		},
		tier('upgrade', {}),
		tier('queue', {
			globalSetup: '<rootDir>/test/queue/globalSetup.mts',
			setupFilesAfterEnv: ['<rootDir>/test/queue/patience.mts'],
		}),
		tier('screenshots', inN8n),
		tier('video', inN8n),
	],
};
