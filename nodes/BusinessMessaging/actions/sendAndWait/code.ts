import { createHash, timingSafeEqual } from 'crypto';
import type { FunctionsBase } from 'n8n-workflow';
import { InputError } from '../../inputError';
import { changedValues, type TemplateVariables } from '../../template/variables';
import type { SendJob } from '../sendTemplate/sending';

/** Where the customer gets the code. */
const CODE = /\[\s*code\s*\]/gi;

export function hasCode(variables: TemplateVariables = {}): boolean {
	return Object.values(variables).some((value) => value.search(CODE) >= 0);
}

export function withCode(message: SendJob['message'], code: string): SendJob['message'] {
	const fill = (value: string) => value.replace(CODE, code);
	return { ...message, templateVariables: changedValues(message.templateVariables, fill) };
}

/** Digits and letters without I, L, O and U, which are misread (Crockford's base 32). */
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP_LENGTH = 5;

/**
 * The code of a question, computed from n8n's signature of a link that nobody gets. So it is stored nowhere, not even
 * as a hash, and every process of n8n finds it again, also after a restart.
 *
 * A node's webhook can store nothing while the execution waits, so it can't count wrong codes. The code is long enough
 * without a count: whoever tries 500 a second for 30 days finds one of 2^50 with a chance of one in a million.
 * @throws InputError
 */
export function codeOf(context: Pick<FunctionsBase, 'getSignedResumeUrl'>, round: number): string {
	const link = context.getSignedResumeUrl({ round: String(round), purpose: 'code' });
	const signature = new URL(link).searchParams.get('signature');
	if (!signature) {
		throw new InputError('n8n gave a link without a signature, so there is no code', 'Update n8n.');
	}
	const signs = [...digestBytes(signature)]
		.map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length])
		.join('');
	return `${signs.slice(0, GROUP_LENGTH)}-${signs.slice(GROUP_LENGTH, 2 * GROUP_LENGTH)}`;
}

/** Marks copied along with the code are ignored. Small, full-width and misread letters count as the right ones. */
export function isCode(entered: unknown, code: string): boolean {
	if (typeof entered !== 'string') return false;
	return timingSafeEqual(digestBytes(normalized(entered)), digestBytes(normalized(code)));
}

function normalized(code: string): string {
	const signs = code
		.normalize('NFKC')
		.toUpperCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
	return signs.replace(/O/g, '0').replace(/[IL]/g, '1');
}

function digestBytes(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
