import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError, quote } from '../../errors/inputError';
import { findChoice } from '../../optionValues';

const UNITS_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const UNITS = Object.keys(UNITS_MS) as Array<keyof typeof UNITS_MS>;

const MIN_SECONDS = 15;
const MAX_DAYS = 30;
export const LIMIT_RANGE = `from ${MIN_SECONDS} seconds to ${MAX_DAYS} days`;
export const DEFAULT_AMOUNT = 24;
export const DEFAULT_UNIT = 'hours';

/** @returns how long an answer is waited for, in ms. @throws InputError */
export function readWaitLimit(context: IExecuteFunctions): number {
	const amount = context.getNodeParameter('limitWaitTime', 0, DEFAULT_AMOUNT);
	const unit = String(context.getNodeParameter('limitWaitTimeUnit', 0, DEFAULT_UNIT));
	const isNumber = ['number', 'string'].includes(typeof amount);
	const known = findChoice(unit, UNITS);
	const limit = isNumber && known ? Number(amount) * UNITS_MS[known] : NaN;
	if (limit >= MIN_SECONDS * UNITS_MS.seconds && limit <= MAX_DAYS * UNITS_MS.days) return limit;
	throw new InputError(
		`Limit Wait Time is ${quote(amount)} with the unit ${quote(unit)}`,
		`Enter ${LIMIT_RANGE}, in seconds, minutes, hours or days.`,
	);
}
