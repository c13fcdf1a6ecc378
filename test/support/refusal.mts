/** An `InputError` with these words, and with what to do about it. */
export function refusal(message: string, remedy: RegExp = /^[A-Z].*\.$/): Error {
	return expect.objectContaining({
		name: 'InputError',
		message: expect.stringContaining(message),
		remedy: expect.stringMatching(remedy),
	});
}
