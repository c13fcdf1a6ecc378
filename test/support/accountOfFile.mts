import { startLocalApi, type LocalApi, type Settings } from '../../playground/api/server.mts';
import { saveAccount } from '../../playground/n8n/account.mts';
import { n8nUnderTest, type N8nUnderTest } from './n8nUnderTest.mts';

/** For all tests of a file: an API of its own, and the credential of that name for it. */
export function accountOfFile(
	name: string,
	settings: Partial<Settings> = {},
	data: Record<string, string> = {},
) {
	const file = {} as { n8n: N8nUnderTest; api: LocalApi; credential: { id: string; name: string } };

	beforeAll(async () => {
		file.api = await startLocalApi(settings);
		file.n8n = await n8nUnderTest();
		file.credential = await saveAccount(file.n8n, name, { baseUrl: file.api.url, ...data });
	});

	afterAll(async () => {
		await file.api?.close();
	});

	return file;
}
