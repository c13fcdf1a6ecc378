import type { Session } from './session.mts';

export interface Credential {
	name: string;
	type: string;
	data: Record<string, string | number | boolean>;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export function credentials(session: Session) {
	return {
		/** Creates it, or overwrites the one of the same name and type. */
		async save(credential: Credential): Promise<{ id: string; name: string }> {
			const all = await session.call<Array<{ id: string; name: string; type: string }>>(
				'GET',
				'/credentials',
			);
			const existing = all.find(
				({ name, type }) => name === credential.name && type === credential.type,
			);
			return existing
				? await session.call('PATCH', `/credentials/${existing.id}`, credential)
				: await session.call('POST', '/credentials', credential);
		},

		async remove(id: string): Promise<void> {
			await session.call('DELETE', `/credentials/${id}`);
		},

		/** What the editor shows after "Save" or "Retry". */
		async test(credential: Credential): Promise<CredentialTestResult> {
			// n8n 1.x tests only what is saved.
			const { id } = await session.call<{ id: string }>('POST', '/credentials', credential);
			try {
				return await session.call('POST', '/credentials/test', {
					credentials: { id, ...credential },
				});
			} finally {
				await this.remove(id);
			}
		},
	};
}
