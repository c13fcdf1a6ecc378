import { installN8n } from '../../playground/n8n/install.mts';
import { packPackage } from '../../playground/n8n/tarball.mts';

/** Once, because the test files run beside each other. */
export default async function prepareOnce() {
	await installN8n();
	await packPackage();
}
