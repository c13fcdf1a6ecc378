import { installN8n } from './n8n/install.mts';
import { packPackage } from './n8n/tarball.mts';
import { asSetupProblem } from './setupProblem.mts';

/** What all end-to-end tests begin with, so that several of them can begin at once. */
try {
	await installN8n();
	if (process.argv.includes('--pack')) await packPackage();
} catch (error) {
	console.error(asSetupProblem(error)?.message ?? error);
	process.exitCode = 1;
}
