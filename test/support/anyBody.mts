import fc from 'fast-check';
import { anyString } from './anyString.mts';

/** Texts as a webhook body, from good events to nonsense. @param timestamp of the good ones */
export function anyText(timestamp: string): fc.Arbitrary<string> {
	return fc.oneof(
		fc.json(),
		anyString,
		fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
		envelope(timestamp).map(asJson),
		fc.constant('{"__proto__":{"event":"message.incoming"}}'),
		fc.constant('"\\ud800"'),
	);
}

function envelope(timestamp: string) {
	return fc.record(
		{
			event: fc.oneof(
				fc.constantFrom('message.incoming', 'flow.submitted', '__proto__'),
				fc.anything(),
			),
			timestamp: fc.oneof(
				fc.constant(timestamp),
				fc.date({ noInvalidDate: true }).map(String),
				fc.anything(),
			),
			data: fc.oneof(fc.object(), fc.dictionary(anyString, fc.json()), fc.anything()),
		},
		{ requiredKeys: [] },
	);
}

function asJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}
