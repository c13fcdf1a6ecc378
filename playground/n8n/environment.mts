import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder, n8nFolder } from '../folders.mts';
import { n8nImage } from './docker.mts';

const OURS = /^(N8N|DB|EXECUTIONS|QUEUE|WEBHOOK|NODE|NODES|GENERIC|JEST|npm)_/;

const QUIET_AND_OFFLINE = {
	NODE_ENV: 'production',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
};

const NOT_OFFLINE = ['mcp-registry', 'instance-ai'];

/** n8n does not start when it is told of a module that it does not have. */
function disabledModules() {
	if (n8nImage) return '';
	const modules = join(n8nFolder, 'node_modules', 'n8n', 'dist', 'modules');
	return NOT_OFFLINE.filter((name) => existsSync(join(modules, name))).join(',');
}

/** n8n would ask a proxy of the caller for the local API. Both spellings, because programs differ in which they read. */
function withoutProxy(): NodeJS.ProcessEnv {
	const given = process.env.no_proxy ?? process.env.NO_PROXY;
	const exceptions = [given, 'localhost,127.0.0.1'].filter(Boolean).join(',');
	return { no_proxy: exceptions, NO_PROXY: exceptions };
}

/** What n8n gets to see: nothing of the caller's own n8n, npm or jest settings. */
export function n8nEnvironment(): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name));
	return {
		...Object.fromEntries(inherited),
		...QUIET_AND_OFFLINE,
		...withoutProxy(),
		// It starts with a fifth less CPU time. A container does not have the folder.
		...(!n8nImage && { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') }),
		N8N_DISABLED_MODULES: disabledModules(),
		// n8n starts its task runner with the first `node` on the PATH.
		PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: 'localhost',
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		// The editor is served over http.
		N8N_SECURE_COOKIE: 'false',
	};
}
