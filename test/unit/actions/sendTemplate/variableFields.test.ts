import fc from 'fast-check';
import {
	type INodeParameters,
	NodeHelpers,
	resetSafeRegexEngine,
	setSafeRegexEngine,
} from 'n8n-workflow';
import { BusinessMessaging } from '../../../../nodes/BusinessMessaging/BusinessMessaging.node';
import { readPlaceholders } from '../../../../nodes/BusinessMessaging/template/placeholders';
import { NODE } from '../../../support/sendNode.ts';
import { missingParameters, shownParameters } from '../../../support/shownParameters.ts';

const node = new BusinessMessaging();

// As in the editor. On a server n8n gives each regular expression 250 ms by the clock, whatever else runs.
beforeAll(() => {
	setSafeRegexEngine({
		test: (pattern: string, input: string) => new RegExp(pattern).test(input),
	} as Parameters<typeof setSafeRegexEngine>[0]);
});
afterAll(resetSafeRegexEngine);

const OF_TEXT = /^variable\d|Notice$/;

/** The names of what the editor shows because of the template text. */
function shown(templateText: string, parameters: INodeParameters = {}): string[] {
	const values = shownParameters(node, { templateText, ...parameters });
	return Object.keys(values).filter((name) => OF_TEXT.test(name));
}

const TEXTS: Array<[string, string[]]> = [
	['', ['noTextNotice']],
	[' \n', ['noPlaceholdersNotice']],
	['Your parcel is here.', ['noPlaceholdersNotice']],
	['Hi {{1}}', ['variable1']],
	['{{2}} {{1}}\n{{2}}', ['variable1', 'variable2']],
	['{{ 1}} … }}', ['variable1']],
	['{{12}}', ['missing1Notice', 'missing11Notice', 'variable12']],
	['Hi {{1}}, {{3}}', ['missing2Notice', 'variable1', 'variable3']],
	['Hi {{name}}', ['namedNotice', 'missing1Notice']],
	['Hi {{1}}, {{ $json.name }}', ['namedNotice', 'variable1']],
	['Hi {{1}, {{2}}', ['missing1Notice', 'variable2']],
	['Hi {{1}}, {2}', ['missing2Notice', 'variable1']],
	['مرحبا {{\u200f1\u200e}}', ['variable1']],
	['3\u00a0€ {{1}} 3} {{ 2 }}', ['variable1', 'variable2']],
	['Hi {1}}', ['noPlaceholdersNotice', 'missing1Notice']],
	['<b>Hi</b> {{1}}', ['variable1']],
];

it.each(TEXTS)('for %j the editor shows %j', (text, expected) => {
	expect(shown(text)).toEqual(expected);
});

it('a text has up to 20 fields, and a notice beside them when it would need more', () => {
	const placeholders = Array.from({ length: 22 }, (_, index) => `{{${index + 1}}}`);
	const fields = placeholders.slice(0, 20).map((_, index) => `variable${index + 1}`);
	expect(shown(placeholders.slice(0, 20).join(' '))).toEqual(fields);
	expect(shown(placeholders.slice(0, 21).join(' '))).toEqual(['tooManyNotice', ...fields]);
	expect(shown(placeholders.toSpliced(19, 1).join(''))).toEqual([
		'missing20Notice',
		'tooManyNotice',
		...fields.slice(0, 19),
	]);
});

it.each([
	['templateText', undefined, { required: true, hint: undefined }],
	['templateText', '', { required: true, hint: undefined }],
	[
		'templateText',
		'Asha',
		{ required: true, hint: expect.stringContaining('the values below stay') },
	],
	['templateText', '={{ $json.name }}', { required: true, hint: expect.any(String) }],
	['={{ $json.way }}', '={{ $json.name }}', { required: undefined, hint: undefined }],
	['json', '={{ $json.name }}', { required: undefined, hint: undefined }],
	['list', undefined, { required: undefined, hint: undefined }],
	['none', undefined, { required: undefined, hint: undefined }],
])('with %s and %j in the first field the text stands there once', (source, variable1, field) => {
	const { description } = node;
	const parameters = {
		...{ resource: 'message', operation: 'sendTemplate', variablesInput: source },
		...(variable1 === undefined ? {} : { variable1 }),
	};
	const fields = description.properties.filter(
		(each) =>
			each.name === 'templateText' &&
			NodeHelpers.displayParameter(parameters, each, NODE, description),
	);
	expect(fields.map(({ required, hint }) => ({ required, hint }))).toEqual([field]);
});

it('a text that an older editor made an expression of gets the same fields', () => {
	expect(shown('=Hi {{1}}')).toEqual(['variable1']);
});

it('in an n8n before 2.35 all texts get the same, and a "=" that stays before them changes nothing', () => {
	const older = olderNode();
	const shownThere = (templateText: string) =>
		older.description.properties.flatMap(({ name, ...field }) => {
			const parameters = { resource: 'message', operation: 'sendTemplate', templateText };
			const isShown = NodeHelpers.displayParameter(
				{ ...parameters, variablesInput: 'templateText' },
				{ name, ...field },
				NODE,
				older.description,
			);
			return isShown && OF_TEXT.test(name) ? [name] : [];
		});
	for (const [text, expected] of TEXTS) expect(shownThere(text)).toEqual(expected);
	expect(shownThere('=Hi {{1}}')).toEqual(['variable1']);
});

/** As it describes itself to an n8n whose library has no engine of its own for regular expressions. */
function olderNode(): BusinessMessaging {
	let older: BusinessMessaging | undefined;
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
	return older as BusinessMessaging;
}

it.each(['none', 'list', 'json'])('with Variables set to %s there are none', (variablesInput) => {
	expect(shown('Hi {{1}}, {{name}}', { variablesInput })).toEqual([]);
});

it('a value whose placeholder is gone is neither stored nor computed', () => {
	const parameters = {
		templateText: 'Hi {{1}}',
		variable1: 'Asha',
		variable2: '={{ $json.gone }}',
	};
	for (const withDefaults of [true, false]) {
		const values = shownParameters(node, parameters, withDefaults);
		expect(values).toMatchObject({ variable1: 'Asha' });
		expect(values).not.toHaveProperty('variable2');
	}
});

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
			const refusals = names.filter((name) => /^(named|missing\d+)Notice$/.test(name));
			try {
				const read = readPlaceholders(text).map(({ position }) => `variable${position}`);
				expect(fields).toEqual(read.slice(0, 20));
				// A number in single braces is read as words, which may be meant.
				if (!/(?<!\{)\{\d+\}/.test(text)) expect(refusals).toEqual([]);
				expect(names.includes('tooManyNotice')).toBe(read.length > 20);
			} catch (error) {
				expect((error as Error).name).toBe('InputError');
			}
		}),
		{ numRuns: 2000 },
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
