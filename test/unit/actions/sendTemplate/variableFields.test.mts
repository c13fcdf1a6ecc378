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

// As in the editor. On a server n8n gives each regular expression 250 ms by the clock, whatever else runs.
const search = jest.fn((pattern: string, input: string) => new RegExp(pattern).test(input));
/** As the node describes itself to an n8n whose library has no engine of its own for regular expressions. */
let older: BusinessMessaging;

afterAll(resetSafeRegexEngine);
beforeAll(() => {
	setSafeRegexEngine({ test: search } as unknown as Parameters<typeof setSafeRegexEngine>[0]);
	jest.isolateModules(() => {
		const library = jest.requireActual<object>('n8n-workflow');
		jest.doMock('n8n-workflow', () => ({ ...library, safeRegex: undefined }));
		const file = '../../../../nodes/BusinessMessaging/BusinessMessaging.node';
		const module = jest.requireActual<{ BusinessMessaging: typeof BusinessMessaging }>(file);
		older = new module.BusinessMessaging();
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

it.each<[string, string[]]>([
	['', ['noTextNotice']],
	['Your parcel is here.', ['noPlaceholdersNotice']],
	['Hi {{1}}', ['variable1']],
	['{{ 1}} … }}', ['variable1']],
	['{{12}}', ['noPlaceholdersNotice', 'variable12']],
	['Hi {{1}}, {{ $json.name }}, {2}', ['variable1']],
	['3 {{1 }} 3} {{ 2 }}', ['variable1', 'variable2']],
	['Hi {{  1}}', ['noPlaceholdersNotice']],
])('for %j the editor shows %j, also before n8n 2.35', (text, expected) => {
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
	const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
	const text = numbers.map((number) => `{{${number}}}`).join(' ');
	const fields = numbers.map((number) => `variable${number}`);
	expect(shown(text)).toEqual(fields);
	expect(shown(`${text} {{21}}`)).toEqual(['tooManyNotice', ...fields]);
});

it('the text wraps, but before n8n 2.35 its field is an editor that keeps a pasted {{1}}', () => {
	const options = [node, older].map(
		({ description }) =>
			description.properties.find(({ name }) => name === 'templateText')?.typeOptions,
	);
	expect(options).toEqual([{ rows: 2 }, { editor: 'htmlEditor', rows: 4 }]);
});

// docs/sending.md: values stay with their placeholder numbers
it.each<[string, string, boolean, boolean]>([
	['templateText', 'Asha', true, true],
	['templateText', '={{ $json.name }}', true, true],
	['templateText', '', true, false],
	['={{ $json.way }}', '={{ $json.name }}', false, false],
	['json', '', false, false],
	['none', 'Asha', false, false],
])('with %s and "%s" the text is there once, required: %p; values stay, is told: %p', (...row) => {
	const [variablesInput, variable1, isRequired, isTold] = row;
	const fields = fieldsOf(node, { variablesInput, variable1, templateText: 'Hi {{1}}' });
	const texts = fields.filter(({ name }) => name === 'templateText');
	expect(texts.map(({ required = false }) => required)).toEqual([isRequired]);
	const names = fields.map(({ name }) => name);
	expect(names.includes('valuesNotice')).toBe(isTold);
	expect(names.includes('variable1')).toBe(!['json', 'none'].includes(variablesInput));
});

it('a value whose placeholder is gone is neither stored nor computed', () => {
	const values = { variable1: 'Asha', variable2: '={{ $json.gone }}' };
	const { variable1, variable2 } = shownParameters(node, { templateText: 'Hi {{1}}', ...values });
	expect([variable1, variable2]).toEqual(['Asha', undefined]);
});

it.each<[INodeParameters, string[]]>([
	[{}, ['templateText']],
	[{ templateText: 'Hi {{1}}, {{2}}', variable1: 'Asha' }, ['variable2']],
	[{ variablesInput: '={{ $json.way }}' }, []],
	[{ variablesInput: 'none', templateText: 'Hi {{1}}' }, []],
	[{ variablesInput: 'none', category: 'auto' }, ['customerLastMessageAt']],
	[{ variablesInput: 'none', category: '={{ $json.kind }}' }, []],
])('with %j what is asked for is %j', (parameters, expected) => {
	const given = { to: '+14155552671', templateName: 'a', ...parameters };
	expect(missingParameters(node, shownParameters(node, given))).toEqual(expected);
});

/** Braces, numbers and what stands around them, in any order. */
const anyPart = fc.oneof(
	fc.constantFrom('{', '}', '{{', '}}', '{{ ', ' }}', '\u00a0', '\u200f', '=', 'name', '\n'),
	fc.integer({ min: 0, max: 23 }).map(String),
	fc.integer({ min: 1, max: 23 }).map((number) => `{{${number}}}`),
	fc.string({ maxLength: 3 }),
);
const anyText = fc
	.array(anyPart, { maxLength: 12 })
	.map((parts) => parts.join(''))
	// n8n's editor takes a "=" at the beginning away.
	.filter((text) => !text.startsWith('='));

it('the editor shows the fields that a run reads', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			const names = shown(text);
			const fields = names.filter((name) => /\d$/.test(name));
			try {
				const read = readPlaceholders(text).map(({ position }) => `variable${position}`);
				expect(fields).toEqual(read.slice(0, 20));
				expect(names.includes('tooManyNotice')).toBe(read.length > 20);
			} catch (error) {
				expect((error as Error).name).toBe('InputError');
			}
		}),
		sample(500),
	);
});

/**
 * n8n finds out which fields are shown for every node of a workflow, several times per execution. A regular expression
 * takes as long as hundreds of other conditions, and fails the execution on a machine that is too busy.
 */
it('n8n needs no regular expression to find out which fields are shown', () => {
	search.mockClear();
	for (const operation of ['sendTemplate', 'sendAndWait']) {
		shownParameters(node, { operation, templateText: 'Hi {{1}}, your {{order}} {{2}}.' });
	}
	expect(search).not.toHaveBeenCalled();
});
