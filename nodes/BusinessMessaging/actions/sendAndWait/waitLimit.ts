import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';

const UNITS_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
type Unit = keyof typeof UNITS_MS;

const MIN_MS = 15 * UNITS_MS.seconds;
const MAX_MS = 30 * UNITS_MS.days;
export const DEFAULT_HOURS = 24;

/** @returns how long an answer is waited for, in ms. @throws InputError */
export function readWaitLimit(context: IExecuteFunctions): number {
	const amount = context.getNodeParameter('limitWaitTime', 0, DEFAULT_HOURS);
	const unit = String(context.getNodeParameter('limitWaitTimeUnit', 0, 'hours'));
	const isNumber = ['number', 'string'].includes(typeof amount);
	const limit = isNumber ? Number(amount) * (UNITS_MS[unit as Unit] ?? NaN) : NaN;
	if (limit >= MIN_MS && limit <= MAX_MS) return limit;
	throw new InputError(
		`Limit Wait Time is ${quote(amount)} with the unit ${quote(unit)}`,
		'Enter from 15 seconds to 30 days, in seconds, minutes, hours or days.',
	);
}
