import { createContext, runInContext } from 'node:vm';
import { examples } from '../../support/examples.ts';

const [, stop] = examples.find(([name]) => name === 'stop')!;
const { jsCode } = parametersOf('STOP or START') as { jsCode: string };
const { assignments } = parametersOf('Words').assignments as {
	assignments: Array<{ name: string; value: string }>;
};
const words = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

function parametersOf(name: string) {
	return stop.nodes.find((node) => node.name === name)!.parameters;
}

/** What the Code node makes of an event. */
function read(data: object, phone: string | undefined = '+12025550110') {
	const event = { phone, data, serviceWindow: { openedAt: '2026-01-31T12:00:00.000Z' } };
	const first = (json: object) => ({ first: () => ({ json }) });
	const context = createContext({ $input: first(words), $: () => first(event) });
	const items = runInContext(`(() => {${jsCode}})()`, context) as Array<{
		json: Record<string, string>;
	}>;
	return items.map(({ json }) => ({ ...json }));
}

function statusOf(text: string) {
	return read({ from: '+12025550110', text })[0]?.status;
}

const listed = Object.entries(words).flatMap(([list, value]) =>
	value.split(', ').map((word) => ({ word, status: list === 'stop' ? 'stopped' : 'started' })),
);

test('each word counts in capitals or not, with spaces and marks', () => {
	expect(listed.length).toBeGreaterThan(20);
	for (const { word, status } of listed) {
		for (const text of [
			...[word, word.toLowerCase(), word.toUpperCase(), `  ${word}\n`, `*${word}*!`],
			...[[...word].join(' '), word.normalize('NFD'), `\u200f${word}`, `${word} 🙏`],
		]) {
			expect([text, statusOf(text)]).toEqual([text, status]);
		}
	}
});

test.each([
	['DESINSCRIRE', 'stopped'],
	['cancelar inscricao', 'stopped'],
	['ＳＴＯＰ', 'stopped'],
	['تَوَقَّف', 'stopped'],
	['opt-in', 'started'],
	['wznow', 'started'],
	['Please stop by tomorrow', undefined],
	['Bus stop', undefined],
	['👍', undefined],
	['', undefined],
])('"%s" means %s', (text, status) => {
	expect(statusOf(text)).toBe(status);
});

test('the word is found in whatever field it stands, and kept as it was written', () => {
	const stopped = {
		...{ phone: '+12025550110', status: 'stopped', word: 'Stop.' },
		since: '2026-01-31T12:00:00.000Z',
	};
	expect(read({ text: ' Stop. ' })).toEqual([stopped]);
	expect(read({ message: { parts: [null, 7, { body: 'Stop.' }] } })).toEqual([stopped]);
});

test('a word without a number fails, and other messages without one do not', () => {
	expect(() => read({ text: 'STOP' }, '')).toThrow('"STOP", but the event has no phone number');
	expect(read({ text: 'Hello' }, '')).toEqual([]);
});
