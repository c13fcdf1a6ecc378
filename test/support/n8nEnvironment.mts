import { join } from 'node:path';

// n8n's engine keeps its settings here: never in the home folder of whoever runs the tests.
process.env.N8N_USER_FOLDER = join(process.cwd(), '.cache', 'engine-tests');
process.env.N8N_LOG_LEVEL = 'silent';
