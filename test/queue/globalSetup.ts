import { installN8n } from '../../playground/n8n/install.ts';
import { packPackage } from '../../playground/n8n/tarball.ts';

/** Once, because the test files run beside each other. */
export default async function prepareOnce() {
	await installN8n();
	await packPackage();
}
