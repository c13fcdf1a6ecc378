const { projects } = require('../../jest.config.js');

const unit = projects.find((project) => project.displayName === 'unit');

/** The tests of `nodes/` and `credentials/` as one project: Stryker knows no others. */
module.exports = {
	...unit,
	rootDir: '../..',
	// The product as well, so that Jest sees which tests a file is related to.
	roots: ['unit', 'nodes', 'workflow', 'support']
		.map((folder) => `<rootDir>/test/${folder}`)
		.concat('<rootDir>/nodes', '<rootDir>/credentials', '<rootDir>/playground/api'),
	testMatch: ['<rootDir>/test/{unit,nodes,workflow}/**/*.test.mts'],
	testPathIgnorePatterns: [
		// About what is not the product: the examples, the documents.
		'<rootDir>/test/(unit|workflow)/examples',
		'<rootDir>/test/unit/structure/(documents|outputSchema|package|pictures|references)',
		'<rootDir>/test/nodes/documentedOutputs.test.mts',
		// Waits for a real rate limit; its rules are tested in test/unit/transport.
		'<rootDir>/test/nodes/rateLimit.test.mts',
	],
	// What never ends is found sooner than Stryker gives up, which costs a new process.
	testTimeout: 10_000,
	setupFilesAfterEnv: [],
	runner: '<rootDir>/test/mutation/firstFailureRunner.js',
	testEnvironment: require.resolve('./environment.js'),
	testEnvironmentOptions: { globalsCleanup: 'off' },
	moduleNameMapper: {
		'^fast-check$': '<rootDir>/test/mutation/briefProperties.js',
		...unit.moduleNameMapper,
	},
};
