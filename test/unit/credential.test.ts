import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials';

const KEY = 'key-for-tests';

async function authenticate(request: { url: string; baseURL?: string }, baseUrl: string) {
	const { headers } = await new BusinessMessagingApi().authenticate(
		{ baseUrl, apiKey: KEY },
		{ ...request, headers: { accept: 'application/json' } },
	);
	return headers;
}

describe('the API key', () => {
	it.each([
		[{ url: 'https://api.example.com/api/messages' }],
		[{ url: '/api/messages' }],
		[{ url: '/api/messages', baseURL: 'https://api.example.com:443/other' }],
	])('goes with %p, beside the other headers', async (request) => {
		const headers = await authenticate(request, 'https://api.example.com/v2/');
		expect(headers).toEqual({ accept: 'application/json', 'X-API-Key': KEY });
	});

	it.each([
		[{ url: 'https://api.example.com.attacker.example/' }],
		[{ url: 'http://api.example.com/' }],
		[{ url: 'https://api.example.com:8443/' }],
		[{ url: 'https://other.example.com/' }],
		[{ url: '//other.example.com/' }],
		[{ url: '/', baseURL: 'https://other.example.com' }],
		[{ url: 'https://api.example.com@other.example.com/' }],
	])('does not go with %p', async (request) => {
		const sent = authenticate(request, 'https://api.example.com');
		await expect(sent).rejects.toMatchObject({
			message: 'The API key is sent to the Base URL of its credential only',
			remedy: 'Use an address that starts with https://api.example.com.',
		});
		await expect(sent).rejects.not.toThrow(KEY);
	});
});
