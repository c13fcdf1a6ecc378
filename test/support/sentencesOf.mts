import type { InputError } from '../../nodes/BusinessMessaging/inputError';

/** What the error says that wrong input makes: what is wrong, and what to do about it. */
export function sentencesOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		return (error as InputError).sentences;
	}
	return 'Nothing was refused';
}
