import { join } from 'node:path';

// Imported first: the other modules take the working directory for the project folder.
process.chdir(join(import.meta.dirname, '..', '..'));
