import { connect, type N8nClient } from './client.mts';
import { startProcess, type N8nProcess, type N8nProcessOptions } from './process.mts';

export interface N8n extends N8nProcess {
	client: N8nClient;
}

/** A whole n8n with its owner logged in. Worker and webhook processes: `startProcess`. */
export async function startN8n(options: Omit<N8nProcessOptions, 'command'>): Promise<N8n> {
	const process = await startProcess(options);
	try {
		return { ...process, client: await connect(process.url) };
	} catch (error) {
		await process.stop();
		throw error;
	}
}
