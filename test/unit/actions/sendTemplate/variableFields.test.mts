import fc from 'fast-check';
import {
	type INodeParameters,
	NodeHelpers,
	resetSafeRegexEngine,
	setSafeRegexEngine,
} from 'n8n-workflow';
import { BusinessMessaging } from '../../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { readPlaceholders } from '../../../../nodes/BusinessMessaging/template/placeholders';
import { sample } from '../../../support/sample.mts';
import { NODE } from '../../../support/sendNode.mts';
import { missingParameters, shownParameters } from '../../../support/shownParameters.mts';

const node = new BusinessMessaging();

let searches = 0;

// As in the editor. On a server n8n gives each regular expression 250 ms by the clock, whatever else runs.
beforeAll(() => {
	setSafeRegexEngine({
		test: (pattern: string, input: string) => {
			searches++;
			return new RegExp(pattern).test(input);
		},
	} as Parameters<typeof setSafeRegexEngine>[0]);
});
afterAll(resetSafeRegexEngine);

/** As the node describes itself to an n8n whose library has no engine of its own for regular expressions. */
let older: BusinessMessaging;

beforeAll(() => {
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => ({
			...jest.requireActual<object>('n8n-workflow'),
			safeRegex: undefined,
		}));
		const { BusinessMessaging: Older } = jest.requireActual<{
			BusinessMessaging: typeof BusinessMessaging;
		}>('../../../../nodes/BusinessMessaging/BusinessMessaging.node');
		older = new Older();
	});
	jest.dontMock('n8n-workflow');
});

/** The fields that the editor shows, as a node describes itself. */
function fieldsOf({ description }: BusinessMessaging, parameters: INodeParameters) {
	const given = { resource: 'message', operation: 'sendTemplate', ...parameters };
	return description.properties.filter((field) =>
		NodeHelpers.displayParameter(given, field, NODE, description),
	);
}

const OF_TEXT = /^variable\d|Notice$/;

/** The names of what the editor shows because of the template text. */
function shown(templateText: string, variablesInput = 'templateText', of = node): string[] {
	const names = fieldsOf(of, { templateText, variablesInput }).map(({ name }) => name);
	return names.filter((name) => OF_TEXT.test(name));
}

const TEXTS: Array<[string, string[]]> = [
	['', ['noTextNotice']],
	[' \n', ['noPlaceholdersNotice']],
	['Your parcel is here.', ['noPlaceholdersNotice']],
	['Hi {{1}}', ['variable1']],
	['{{2}} {{1}}\n{{2}}', ['variable1', 'variable2']],
	['{{ 1}} … }}', ['variable1']],
	['{{12}}', ['variable12']],
	['Hi {{1}}, {{3}}', ['variable1', 'variable3']],
	['Hi {{name}}', ['namedNotice']],
	['Hi {{1}}, {{ $json.name }}', ['namedNotice', 'variable1']],
	['Hi {{1}, {{2}}', ['variable2']],
	['Hi {{1}}, {2}', ['variable1']],
	['مرحبا {{\u200f1\u200e}}', ['variable1']],
	...[...'\u00a0\u200b\u200e\u200f\u2060\ufeff'].map((mark): [string, string[]] => [
		`Hi {{${mark}1${mark}}}`,
		['variable1'],
	]),
	['3\u00a0€ {{1}} 3} {{ 2 }}', ['variable1', 'variable2']],
	['Hi {1}}', ['noPlaceholdersNotice']],
];

it.each(TEXTS)('for %j the editor shows %j, also before n8n 2.35', (text, expected) => {
	expect(shown(text)).toEqual(expected);
	expect(shown(text, 'templateText', older)).toEqual(expected);
});

it('a text that an older editor made an expression of gets the same fields', () => {
	const text = '=Hi {{1}}';
	const names = Object.keys(shownParameters(node, { templateText: text }));
	expect(names.filter((name) => OF_TEXT.test(name))).toEqual(['variable1']);
	expect(shown(text, 'templateText', older)).toEqual(['variable1']);
});

it('a text has up to 20 fields, and a notice beside them when it would need more', () => {
	const placeholders = Array.from({ length: 22 }, (_, index) => `{{${index + 1}}}`);
	const fields = placeholders.slice(0, 20).map((_, index) => `variable${index + 1}`);
	expect(shown(placeholders.slice(0, 20).join(' '))).toEqual(fields);
	expect(shown(placeholders.slice(0, 21).join(' '))).toEqual(['tooManyNotice', ...fields]);
});

it('each notice says in a sentence what is wrong', () => {
	const notices = node.description.properties.filter(
		({ name, type }) => type === 'notice' && OF_TEXT.test(name),
	);
	const textOf = (notice: string) => notices.find(({ name }) => name === notice)?.displayName;
	for (const { displayName } of notices) expect(displayName).toMatch(/^[A-Z].{40}/);
	expect(textOf('tooManyNotice')).toContain('{{1}} to {{20}}');
	expect(textOf('namedNotice')).toContain('{{1}}');
});

it('the text wraps, but before n8n 2.35 its field is an editor that keeps a pasted {{1}}', () => {
	const options = [node, older].map(
		({ description }) =>
			description.properties.find(({ name }) => name === 'templateText')?.typeOptions,
	);
	expect(options).toEqual([{ rows: 2 }, { editor: 'htmlEditor', rows: 4 }]);
});

it('the JSON of a new node is an object to fill in', () => {
	const { variablesJson } = shownParameters(node, { variablesInput: 'json' });
	expect(JSON.parse(variablesJson as string)).toEqual({ 1: '' });
});

const ASKED = { required: true, hint: undefined };
const REMINDED = { required: true, hint: expect.stringContaining('the values below stay') };
const OPTIONAL = { required: undefined, hint: undefined };

it.each<[string, INodeParameters, object]>([
	['templateText', {}, ASKED],
	['templateText', { variable1: '' }, ASKED],
	['templateText', { variable1: 'Asha' }, REMINDED],
	['templateText', { variable1: '={{ $json.name }}' }, REMINDED],
	['={{ $json.way }}', { variable1: '={{ $json.name }}' }, OPTIONAL],
	['json', { variable1: '={{ $json.name }}' }, OPTIONAL],
	['none', {}, OPTIONAL],
])('with %s and %j the text stands there once', (variablesInput, parameters, field) => {
	const fields = fieldsOf(node, { variablesInput, ...parameters });
	const texts = fields.filter(({ name }) => name === 'templateText');
	expect(texts.map(({ required, hint }) => ({ required, hint }))).toEqual([field]);
});

it.each<[string, INodeParameters, boolean]>([
	['templateText', {}, false],
	['templateText', { variable1: 'Asha' }, true],
	['={{ $json.way }}', {}, false],
	['={{ $json.way }}', { variable1: 'Asha' }, true],
	['json', {}, true],
	['json', { variable1: 'Asha' }, true],
	['none', {}, false],
])(
	'with %s and %j Variables stands there once, with a hint if values would be lost: %p',
	(variablesInput, parameters, isHinted) => {
		const fields = fieldsOf(node, { variablesInput, ...parameters });
		const hints = fields.flatMap(({ name, hint }) => (name === 'variablesInput' ? [hint] : []));
		expect(hints).toEqual([isHinted ? expect.stringMatching(/^Switching clears/) : undefined]);
	},
);

it.each(['none', 'json'])('with Variables set to %s there are none', (variablesInput) => {
	expect(shown('Hi {{1}}, {{name}}', variablesInput)).toEqual([]);
});

it.each([true, false])(
	'a value whose placeholder is gone is neither stored nor computed',
	(all) => {
		const values = { variable1: 'Asha', variable2: '={{ $json.gone }}' };
		const shownValues = shownParameters(node, { templateText: 'Hi {{1}}', ...values }, all);
		expect(shownValues).toMatchObject({ variable1: 'Asha' });
		expect(shownValues).not.toHaveProperty('variable2');
	},
);

it.each<[INodeParameters, string[]]>([
	[{}, ['templateText']],
	[{ templateText: 'Hi {{1}}, {{2}}', variable1: 'Asha' }, ['variable2']],
	[{ variablesInput: 'none' }, []],
	[{ variablesInput: '={{ $json.way }}' }, []],
	[{ variablesInput: 'none', templateText: 'Hi {{1}}' }, []],
])('with %j what is asked for is %j', (parameters, expected) => {
	const given = { to: '+14155552671', templateName: 'a', ...parameters };
	expect(missingParameters(node, shownParameters(node, given))).toEqual(expected);
});

/** Braces, numbers and what stands around them, in any order. */
const anyText = fc
	.array(
		fc.oneof(
			fc.constantFrom('{', '}', '{{', '}}', '{{ ', ' }}', '\u00a0', '\u200f', '=', 'name', '\n'),
			fc.integer({ min: 0, max: 23 }).map(String),
			fc.integer({ min: 1, max: 23 }).map((number) => `{{${number}}}`),
			fc.string({ maxLength: 3 }),
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(''))
	// n8n's editor takes a "=" at the beginning away.
	.filter((text) => !text.startsWith('='));

it('the editor shows the fields that a run reads, and no notice but for what it refuses', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			const names = shown(text);
			const fields = names.filter((name) => /\d$/.test(name));
			try {
				const read = readPlaceholders(text).map(({ position }) => `variable${position}`);
				expect(fields).toEqual(read.slice(0, 20));
				expect(names).not.toContain('namedNotice');
				expect(names.includes('tooManyNotice')).toBe(read.length > 20);
			} catch (error) {
				expect((error as Error).name).toBe('InputError');
			}
		}),
		sample(500),
	);
});

it.each([
	['spaces', ' '],
	['opening braces', '{'],
	['closing braces', '}'],
	['open placeholders', '{{1'],
	['placeholders', '{{1}} '],
])('a text of 100,000 %s is read as one of four', (_, part) => {
	expect(shown(part.repeat(100_000))).toEqual(shown(part.repeat(4)));
});

/**
 * n8n finds out which fields are shown for every node of a workflow, several times per execution. A regular expression
 * takes as long as hundreds of other conditions, and fails the execution on a machine that is too busy.
 */
it.each<[string, INodeParameters, number]>([
	['a long template text', { templateText: `Hi {{1}}, ${'it is {{ 2 }}. '.repeat(50)}` }, 0],
	['no template text', { templateText: '' }, 0],
	['a question', { operation: 'sendAndWait', templateText: 'Hi {{1}}' }, 0],
	['a text in which something is odd', { templateText: 'Hi {{1}}, your {{order}}.' }, 1],
])('the fields of %s take n8n few regular expressions', (_, parameters, expected) => {
	searches = 0;
	shownParameters(node, parameters);
	expect(searches).toBe(expected);
});
