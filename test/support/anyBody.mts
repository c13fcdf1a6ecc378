import fc from 'fast-check';
import { anyString } from './anyString.mts';

/** Texts as a webhook body, from good events to nonsense. @param timestamp of the good ones */
export function anyText(timestamp: string): fc.Arbitrary<string> {
	return fc.oneof(
		fc.json(),
		anyString,
		fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
		envelope(timestamp).map((event) => JSON.stringify(event)),
		fc.constant('{"__proto__":{"event":"message.incoming"}}'),
		fc.constant('"\\ud800"'),
	);
}

function envelope(timestamp: string) {
	const names = fc.constantFrom('message.incoming', 'flow.submitted', '__proto__');
	const times = fc.oneof(fc.constant(timestamp), fc.date({ noInvalidDate: true }).map(String));
	return fc.record(
		{
			event: fc.oneof(names, fc.jsonValue()),
			timestamp: fc.oneof(times, fc.jsonValue()),
			data: fc.oneof(fc.dictionary(anyString, fc.jsonValue()), fc.jsonValue()),
		},
		{ requiredKeys: [] },
	);
}
