import { installN8n } from './n8n/install.ts';
import { packPackage } from './n8n/tarball.ts';

/** What all end-to-end tests begin with, so that several of them can begin at once. */
await installN8n();
if (process.argv.includes('--pack')) await packPackage();
