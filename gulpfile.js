const { cp, glob, readFile, rm } = require('node:fs/promises');
const { basename, relative } = require('node:path').posix;
const { build: bundle } = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');

const ASSETS = ['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Readable, because users review what they install. */
const BUNDLED = {
	outbase: '.',
	outdir: 'dist',
	bundle: true,
	format: 'cjs',
	platform: 'node',
	// The oldest Node of an n8n that is still maintained (1.x).
	target: 'node20',
	// n8n brings it along; a second copy would break `instanceof` for its errors.
	external: ['n8n-workflow'],
	logLevel: 'warning',
};

/** Libraries that several classes need are loaded once, from files of their own. */
const NODES = 'nodes/BusinessMessaging';
const SHARED = [`${NODES}/bundled/libphonenumber`, `${NODES}/bundled/ipaddr`];

function sharedFrom(folder) {
	return {
		name: 'shared',
		setup({ onResolve }) {
			for (const file of SHARED) {
				const path = `${relative(folder, file)}.js`;
				const inFolder = path.startsWith('.') ? path : `./${path}`;
				const filter = new RegExp(`/${basename(file)}$`);
				onResolve({ filter }, () => ({ path: inFolder, external: true }));
			}
		},
	};
}

/** One file for each class that n8n loads. */
async function bundleClasses() {
	const classes = { credentials: 'credentials/*.credentials.ts', [NODES]: `${NODES}/*.node.ts` };
	const bundles = Object.entries(classes).map(([folder, entry]) =>
		bundle({ ...BUNDLED, entryPoints: [entry], plugins: [sharedFrom(folder)] }),
	);
	await Promise.all(bundles);
}

async function bundleShared() {
	await bundle({ ...BUNDLED, entryPoints: SHARED.map((file) => `${file}.ts`) });
}

function copyAssets() {
	// Gulp decodes files as text by default, which would damage a PNG.
	return src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));
}

const bundleAll = parallel(bundleClasses, bundleShared, copyAssets);

/** Replaces what has changed in an installed package, whose n8n reloads it. */
async function installChanges() {
	const installed = process.env.INSTALLED_PACKAGE;
	for await (const file of glob('dist/**/*.{js,json,svg,png}')) {
		const target = `${installed}/${file}`;
		const [built, old] = await Promise.all([readFile(file), readFile(target).catch(() => null)]);
		if (!old?.equals(built)) await cp(file, target);
	}
}

/** Ends only with its process. For npm run dev. */
function dev() {
	watch(['nodes/**', 'credentials/**'], series(bundleAll, installChanges));
}

exports.build = series(clean, bundleAll);
exports.dev = dev;
