import { readFileSync } from 'node:fs';

import { defaultSettings } from '../../../playground/api/settings.ts';
import { API_KEYS, RECIPIENTS, REFUSALS } from '../../../playground/api/wellKnown.ts';
import { tableOf } from './markdown.ts';

const PAGE = 'docs/local-api.md';
const code = (cell: string) => /`([^`]+)`/.exec(cell)?.[1];

describe(PAGE, () => {
	it('lists every key', () => {
		const listed = tableOf(PAGE, 'Key').flatMap(([key]) => code(key) ?? []);
		expect(listed).toEqual(API_KEYS.map(({ key }) => key));
	});

	it('lists every number that behaves, and with what it is refused', () => {
		const listed = tableOf(PAGE, 'Recipient').map(([number, text]) => [
			code(number),
			/refused with (\d+)/.exec(text)?.[1],
		]);
		expect(listed.sort()).toEqual(
			[
				...Object.keys(RECIPIENTS).map((recipient) => [recipient, undefined]),
				...REFUSALS.map(({ recipient, httpStatus, code: network }) => [
					recipient,
					String(httpStatus ?? network),
				]),
			].sort(),
		);
	});

	it('names settings that exist', () => {
		const named = tableOf(PAGE, 'Fault').flatMap(([, settings]) =>
			[...settings.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
		);
		expect(named).not.toEqual([]);
		expect(named.filter((name) => !(name in defaultSettings()))).toEqual([]);
	});

	it('has a command that the settings take', () => {
		const [, body] = /-d '([^']+)'/.exec(readFileSync(PAGE, 'utf8')) ?? [];
		expect(Object.keys(JSON.parse(body)).every((name) => name in defaultSettings())).toBe(true);
	});
});
