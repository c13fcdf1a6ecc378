import { createContext, runInContext } from 'node:vm';

import { examples } from '../../support/examples.mts';

const [, stop] = examples.find(([name]) => name === 'stop')!;
const parametersOf = (name: string) => stop.nodes.find((node) => node.name === name)!.parameters;
const { jsCode } = parametersOf('STOP or START');
const { assignments } = parametersOf('Words').assignments as {
	assignments: Array<{ name: 'stop' | 'start'; value: string }>;
};
const words = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

/** What the Code node makes of an event. */
function read(data: object, phone: string | null = '+12025550110') {
	const event = { phone, data, serviceWindow: { openedAt: '2026-01-31T12:00:00.000Z' } };
	const first = (json: object) => ({ first: () => ({ json }) });
	const context = createContext({ $input: first(words), $: () => first(event) });
	const items = runInContext(`(() => {${jsCode}})()`, context) as Array<{ json: object }>;
	return items.map(({ json }): Record<string, unknown> => ({ ...json }));
}

const statusOf = (text: string) => read({ from: '+12025550110', text })[0]?.status;

test.each([
	['stopped', words.stop],
	['started', words.start],
])('a word means %s in capitals or not, with spaces and marks', (status, list) => {
	expect(list.split(', ').length).toBeGreaterThan(3);
	for (const word of list.split(', ')) {
		for (const text of [
			word,
			word.toLowerCase(),
			word.toUpperCase(),
			`  ${word}\n`,
			`*${word}*!`,
			...[[...word].join(' '), word.normalize('NFD'), `\u200f${word}`, `${word} 🙏`],
		]) {
			expect([text, statusOf(text)]).toEqual([text, status]);
		}
	}
});

test.each([
	['DESINSCRIRE', 'stopped'],
	['ＳＴＯＰ', 'stopped'],
	['تَوَقَّف', 'stopped'],
	['opt-in', 'started'],
	['wznow', 'started'],
	['Please stop by tomorrow', undefined],
	['👍', undefined],
	['', undefined],
])('"%s" means %s', (text, status) => {
	expect(statusOf(text)).toBe(status);
});

test('the word is found in whatever field it stands, and kept as it was written', () => {
	const stopped = {
		phone: '+12025550110',
		customer: '+12025550110',
		status: 'stopped',
		word: 'Stop.',
		since: '2026-01-31T12:00:00.000Z',
	};
	expect(read({ message: { parts: [null, 7, { body: ' Stop. ' }] } })).toEqual([stopped]);
});

test.each([
	[{ from: 'asha.k', text: 'STOP' }, 'asha.k'],
	[{ from: '', text: 'STOP' }, '{"from":"","text":"STOP"}'],
	[{ text: 'STOP' }, '{"text":"STOP"}'],
])('the customer of %j, who has no number, is %s', (data, customer) => {
	expect(read(data, null)).toEqual([expect.objectContaining({ phone: null, customer })]);
	expect(read({ ...data, text: 'Hello' }, null)).toEqual([]);
});
