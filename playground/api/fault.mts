import { schemaViolations } from './description.mts';
import { Refused } from './refused.mts';
import type { Settings } from './settings.mts';
import { faultSchema } from './settingsSchema.mts';

/** What one request asks for, so that tests in parallel do not disturb each other. */
export interface Fault extends Partial<Pick<Settings, 'errorShape' | 'latencyMs'>> {
	/** As one of `failNext`. */
	code?: number;
}

/** Reads `Prefer: code=500, errorShape=html`. Other preferences are ignored, as RFC 7240 has it. */
export function faultOf(header: string | string[] | undefined): Fault {
	const wishes = String(header ?? '').split(/[,;]/);
	const known = wishes
		.map((wish) => wish.split('=').map((part) => part.trim()))
		.filter(([name]) => Object.hasOwn(faultSchema.properties, name));
	const fault = Object.fromEntries(known.map(([name, value]) => [name, asNumber(value)])) as Fault;
	const violations = schemaViolations(faultSchema, fault, 'Prefer');
	if (violations.length > 0) throw Refused.because(400, violations.join('; '));
	return fault;
}

function asNumber(text = ''): string | number {
	return /^\d+$/.test(text) ? Number(text) : text;
}
