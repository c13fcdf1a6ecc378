import { n8nEnvironment } from '../../../playground/n8n/environment.mts';

const before = { ...process.env };
afterEach(() => {
	process.env = { ...before };
});

// README, Try it without an account: with `http_proxy` set
test.each([
	['no_proxy', 'intranet', 'intranet,localhost,127.0.0.1'],
	['NO_PROXY', 'intranet', 'intranet,localhost,127.0.0.1'],
	['no_proxy', '', 'localhost,127.0.0.1'],
])('n8n asks no proxy for the local API, with %s=%s', (name, given, exceptions) => {
	for (const spelling of ['no_proxy', 'NO_PROXY']) delete process.env[spelling];
	process.env[name] = given;
	expect(n8nEnvironment()).toMatchObject({ no_proxy: exceptions, NO_PROXY: exceptions });
});
