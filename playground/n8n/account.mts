import { DEVELOPMENT_KEY } from '../api/wellKnown.mts';
import type { N8nClient } from './client.mts';
import { CREDENTIAL } from './typeNames.mts';

/** Saves a credential with a key that the local API knows. Without `baseUrl` nobody answers. */
export async function saveAccount(
	{ client }: { client: Pick<N8nClient, 'credentials'> },
	name: string,
	data: Record<string, string> = {},
): Promise<{ id: string; name: string }> {
	return await client.credentials.save({
		name,
		type: CREDENTIAL,
		data: { baseUrl: 'http://localhost', apiKey: DEVELOPMENT_KEY, ...data },
	});
}
