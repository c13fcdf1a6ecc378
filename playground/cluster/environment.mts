/** What all processes of a cluster must agree on. */
export function queueEnvironment(redisUrl: string, postgresUrl: string): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		// All processes read each other's credentials.
		N8N_ENCRYPTION_KEY: 'the-key-of-the-playground-cluster',
		...redisSettings(new URL(redisUrl)),
		...postgresSettings(postgresUrl),
		// The round-robin proxy: the allowlist sees the address behind it.
		N8N_PROXY_HOPS: '1',
		// As the README advises.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	};
}

function redisSettings({ hostname, port, username, password, pathname }: URL) {
	return {
		QUEUE_BULL_REDIS_HOST: hostname,
		QUEUE_BULL_REDIS_PORT: port || '6379',
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(password),
		QUEUE_BULL_REDIS_DB: pathname.slice(1) || '0',
	};
}

/** Where one process finds the database. */
export function postgresSettings(url: string) {
	const { hostname, port, username, password, pathname } = new URL(url);
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: hostname,
		DB_POSTGRESDB_PORT: port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
		DB_POSTGRESDB_DATABASE: pathname.slice(1),
	};
}

/**
 * From it a process learns at its start what it left behind. Two that start at once and share it, list
 * as crashed whatever is queued; in containers each has its own.
 */
export function eventLog(file: string) {
	return { N8N_EVENTBUS_LOGWRITER_LOGFULLPATH: file };
}
