/** What the customer does, by the playground's routes. @throws with a sentence */
async function ask(method, path, body) {
	let response;
	try {
		response = await fetch(`/playground/customer${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
	} catch {
		throw new Error('Not sent: the local API does not answer.');
	}
	if (response.ok) return;
	const { message } = await response.json();
	throw new Error(`Not sent: ${message}.`);
}

export const writeMessage = (from, text) => ask('POST', '/messages', { from, text });
export const submitForm = (from, formData) => ask('POST', '/forms', { from, formData });
export const changeForm = (id, formData) =>
	ask('PUT', `/forms/${encodeURIComponent(id)}`, { formData });
